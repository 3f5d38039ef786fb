// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/softmax_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace uplift::predict {
namespace {

using Key = ParameterKey<SoftmaxConstants>;

constexpr std::array kKeys = {
    Key{"dram", &SoftmaxConstants::dram, 0.7, 1.3},
    Key{"l2_reach", &SoftmaxConstants::l2_reach, 0.02, 0.5},
    Key{"row_reach", &SoftmaxConstants::row_reach, 0.05, 10.0},
    Key{"warp_row_issue", &SoftmaxConstants::warp_row_issue, 20, 5000},
    Key{"warp_element_issue", &SoftmaxConstants::warp_element_issue, 5, 1000},
    Key{"block_row_issue", &SoftmaxConstants::block_row_issue, 50, 50000},
    Key{"block_element_issue", &SoftmaxConstants::block_element_issue, 5, 1000},
    Key{"row_cycles", &SoftmaxConstants::row_cycles, 100, 50000},
    Key{"step_cycles", &SoftmaxConstants::step_cycles, 10, 30000},
};

constexpr std::int64_t kWarpColumns = 1024;  ///< the longest row that a warp keeps in registers
constexpr double kVectorBytes = 16;

/// Threads of a block: at least half of the row is to be read in bodies of 16 bytes.
double block_threads(double cols, double vector) {
  const auto wanted = static_cast<std::uint64_t>(std::clamp(cols / vector / 2, 1.0, 512.0));
  return static_cast<double>(std::max<std::uint64_t>(32, std::bit_ceil(wanted)));
}

double steps_from(double cols, double threads, double vector, double shift) {
  double steps = 0;
  double left = cols;
  if (shift > 0) {
    steps = 1;
    left = std::max(0.0, left + shift - threads);
  }
  const double bodies = std::floor(left / (threads * vector));
  return steps + bodies + std::ceil((left - bodies * threads * vector) / threads);
}

/// Loads that a thread waits for in one pass, averaged over the alignments that rows have.
double count_steps(double cols, double threads, double vector) {
  const double odd = std::fmod(cols, vector);
  const double aligned = steps_from(cols, threads, vector, 0);
  if (odd == 0) return aligned;
  // Rows start at multiples of gcd(cols, vector) elements: one in vector / gcd is aligned.
  const auto step = std::gcd(static_cast<std::int64_t>(odd), static_cast<std::int64_t>(vector));
  const double share = static_cast<double>(step) / vector;
  return share * aligned + (1.0 - share) * steps_from(cols, threads, vector, vector / 2);
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<RowsShape>(&op.shape);
  if (shape == nullptr) return {};
  const double cols = static_cast<double>(shape->cols);
  const double rows = static_cast<double>(shape->rows);
  return {std::log(rows), std::log(cols), cols > kWarpColumns ? 0.5 : -0.5};
}

}  // namespace

OpTime estimate_softmax(const Op& op, const OpCard& card, const SoftmaxConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<RowsShape>(&op.shape);
  if (shape == nullptr) return time;
  const double rows = static_cast<double>(shape->rows);
  const double cols = static_cast<double>(shape->cols);
  const double row_bytes = cols * op.element_bytes;

  // Backward: first the product of gradient and output is written, then the kernel reads it and the
  // output and writes the input's gradient.
  const double tensors = shape->backward ? 6.0 : 2.0;
  const double kernels = shape->backward ? 2.0 : 1.0;
  const double bytes = tensors * rows * row_bytes;
  time.l2_share = share_kept(bytes, card.l2_bytes, constants.l2_reach);
  double traffic = bytes * (1.0 - time.l2_share);
  double issue = 0;
  double latency = 0;
  if (shape->cols <= kWarpColumns) {
    const double held = static_cast<double>(
        std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(shape->cols, 1))));
    issue = rows * (constants.warp_row_issue + constants.warp_element_issue * held / 32.0);
  } else {
    const double vector = std::max(1.0, std::floor(kVectorBytes / op.element_bytes));
    const double threads = block_threads(cols, vector);
    const double resident =
        std::max(1.0, std::min(std::floor(card.threads_per_sm / threads), card.blocks_per_sm));
    const double again = shape->backward ? 1.0 : 2.0;
    const double at_work = card.sms * resident;
    traffic += again * rows * row_bytes *
               share_reread(at_work, row_bytes, card.l2_bytes, constants.row_reach);
    issue = rows * (constants.block_row_issue + constants.block_element_issue * cols / 32.0);
    latency = rows *
              (constants.row_cycles + constants.step_cycles * count_steps(cols, threads, vector)) /
              (std::min(rows, at_work) * card.clock);
  }
  issue /= issue_rate(card);
  const double dram = traffic / (constants.dram * card.stream);
  time.seconds = kernels * card.floor + overlap(dram, issue, latency);
  time.bound = bound_of(kernels * card.floor, dram, std::max(issue, latency), time.l2_share);
  return time;
}

const OpFamily& softmax_family() {
  static const FamilyOf<SoftmaxConstants, kKeys.size()> kFamily("softmax", kKeys, estimate_softmax,
                                                                describe);
  return kFamily;
}

}  // namespace uplift::predict
