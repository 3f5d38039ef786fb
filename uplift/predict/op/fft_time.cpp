// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/fft_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<FftConstants>;

constexpr std::array kKeys = {
    Key{"dram", &FftConstants::dram, 0.3, 1.3},
    Key{"rate", &FftConstants::rate, 0.05, 1.0},
    Key{"l2_reach", &FftConstants::l2_reach, 0.02, 1.0},
};

constexpr double kLog2PointsAPass = 12;

double count_passes(const FftShape& shape) {
  double passes = 0;
  for (const auto n : shape.n) {
    if (n > 1) passes += pieces(std::log2(static_cast<double>(n)), kLog2PointsAPass);
  }
  return std::max(1.0, passes);
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<FftShape>(&op.shape);
  if (shape == nullptr) return {};
  const double points = std::max(1.0, least_bytes(op.shape, 1.0).value());
  return {std::log(points), std::log(static_cast<double>(shape->batch)), count_passes(*shape)};
}

}  // namespace

OpTime estimate_fft(const Op& op, const OpCard& card, const FftConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<FftShape>(&op.shape);
  if (shape == nullptr) return time;
  const double passes = count_passes(*shape);
  const double once = least_bytes(op.shape, op.element_bytes).value();
  time.l2_share = share_kept(once, card.l2_bytes, constants.l2_reach);
  const double dram =
      once * (1.0 + (passes - 1.0) * (1.0 - time.l2_share)) / (constants.dram * card.stream);
  const double rate = op.math == Math::kFp64 ? card.rate : card.cuda_core_rate;
  const double work = flops(op.shape).value() / (constants.rate * rate);
  time.seconds = passes * card.floor + overlap(dram, work);
  time.bound = bound_of(passes * card.floor, dram, work, time.l2_share);
  return time;
}

const OpFamily& fft_family() {
  static const FamilyOf<FftConstants, kKeys.size()> kFamily("fft", kKeys, estimate_fft, describe);
  return kFamily;
}

}  // namespace uplift::predict
