// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/kernel_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<KernelConstants>;

constexpr std::array kKeys = {
    Key{"dram", &KernelConstants::dram, 0.3, 1.3},
    Key{"rate", &KernelConstants::rate, 0.02, 1.2},
    Key{"l2_reach", &KernelConstants::l2_reach, 0.02, 0.5},
    Key{"thread_bytes", &KernelConstants::thread_bytes, 1, 256},
    Key{"dram_cycles", &KernelConstants::dram_cycles, 100, 5000},
};

constexpr double kRegistersPerSm = 65536;  ///< of every GPU since Kepler but GK210

/// Blocks that an SM holds at once, at least 1.
double blocks_per_sm(const KernelShape& shape, const OpCard& card) {
  const double threads = static_cast<double>(shape.block);
  double blocks =
      std::min(std::max(1.0, card.blocks_per_sm), std::floor(card.threads_per_sm / threads));
  if (shape.registers > 0) {
    blocks = std::min(
        blocks, std::floor(kRegistersPerSm / (static_cast<double>(shape.registers) * threads)));
  }
  if (shape.shared_bytes > 0 && card.shared_bytes_per_sm > 0) {
    blocks = std::min(
        blocks, std::floor(card.shared_bytes_per_sm / static_cast<double>(shape.shared_bytes)));
  }
  return std::max(1.0, blocks);
}

struct Launch {
  double threads = 0;    ///< resident, over the card
  double stretch = 1.0;  ///< of arithmetic by SMs that have nothing, or too little, to do
};

Launch describe_launch(const KernelShape& shape, const OpCard& card) {
  if (shape.grid <= 0 || shape.block <= 0) return {card.sms * card.threads_per_sm, 1.0};
  const double grid = static_cast<double>(shape.grid);
  const double fit = blocks_per_sm(shape, card);
  Launch launch;
  launch.threads = static_cast<double>(shape.block) * std::min(grid, card.sms * fit);
  // An SM with fewer blocks works on them faster: what counts is blocks an SM, not waves.
  const double share = grid / card.sms;
  launch.stretch = share <= 1 ? 1.0 / share : 0.5 * (1.0 + std::ceil(share) / share);
  return launch;
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<KernelShape>(&op.shape);
  if (shape == nullptr) return {};
  return {std::log(1.0 + shape->flops), std::log(1.0 + shape->bytes),
          std::log(1.0 + static_cast<double>(shape->grid))};
}

}  // namespace

OpTime estimate_kernel(const Op& op, const OpCard& card, const KernelConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<KernelShape>(&op.shape);
  if (shape == nullptr) return time;
  const Launch launch = describe_launch(*shape, card);
  time.l2_share = share_kept(shape->bytes, card.l2_bytes, constants.l2_reach);
  const double dram = shape->bytes * (1.0 - time.l2_share) / (constants.dram * card.stream);
  const double rate = card.rate > 0 ? card.rate : card.cuda_core_rate;
  const double compute = rate > 0 ? shape->flops / (constants.rate * rate) * launch.stretch : 0.0;
  const double fill =
      shape->bytes * constants.dram_cycles / (launch.threads * constants.thread_bytes * card.clock);
  time.seconds = card.floor + overlap(compute, dram, fill);
  time.bound = fill > std::max(compute, dram) ? Bound::kLaunch
                                              : bound_of(card.floor, dram, compute, time.l2_share);
  return time;
}

const OpFamily& kernel_family() {
  static const FamilyOf<KernelConstants, kKeys.size()> kFamily("kernel", kKeys, estimate_kernel,
                                                               describe);
  return kFamily;
}

}  // namespace uplift::predict
