// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/layernorm_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<LayerNormConstants>;

constexpr std::array kKeys = {
    Key{"dram", &LayerNormConstants::dram, 0.7, 1.3},
    Key{"l2_reach", &LayerNormConstants::l2_reach, 0.02, 0.5},
    Key{"row_reach", &LayerNormConstants::row_reach, 0.05, 10.0},
    Key{"row_issue", &LayerNormConstants::row_issue, 100, 20000},
    Key{"step_issue", &LayerNormConstants::step_issue, 10, 2000},
    Key{"row_cycles", &LayerNormConstants::row_cycles, 50, 60000},
    Key{"step_cycles", &LayerNormConstants::step_cycles, 10, 30000},
};

constexpr double kThreads = 128;
constexpr double kVector = 4;
constexpr double kUnroll = 4;

/// Steps of a pass over one row.
struct Steps {
  double slowest = 1;  ///< of the warp that takes longest
  double all = 1;      ///< summed over the block's warps
};

Steps count_steps(double cols) {
  const double vectors = std::ceil(cols / kVector);
  const double whole = std::floor(vectors / kThreads);  // steps that every thread has
  const double rest = vectors - whole * kThreads;       // threads with one more
  Steps steps;
  steps.slowest = std::max(1.0, rest > 0 ? whole + 1 : whole);
  steps.all = pieces(vectors, 32);
  const bool mixed_warp = std::fmod(rest, 32) != 0;
  if (mixed_warp && std::fmod(steps.slowest, kUnroll) == 0) {
    steps.slowest += kUnroll - 1;
    steps.all += kUnroll - 1;
  }
  return steps;
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<RowsShape>(&op.shape);
  if (shape == nullptr) return {};
  const double rows = static_cast<double>(shape->rows);
  const double cols = static_cast<double>(shape->cols);
  return {std::log(rows), std::log(cols), std::log(count_steps(cols).slowest)};
}

}  // namespace

OpTime estimate_layernorm(const Op& op, const OpCard& card, const LayerNormConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<RowsShape>(&op.shape);
  if (shape == nullptr) return time;
  const double rows = static_cast<double>(shape->rows);
  const double cols = static_cast<double>(shape->cols);
  const double row_bytes = cols * op.element_bytes;
  const bool scalar = std::fmod(cols, kVector) != 0;

  // Backward: dY and X are read by the kernel of the input's gradient, which writes it, and again
  // by the kernel of the gradients of weight and bias.
  const double tensors = shape->backward ? 5.0 : 2.0;
  const double again = shape->backward ? 2.0 : 1.0;
  const double kernels = shape->backward || scalar ? 2.0 : 1.0;
  Steps steps = count_steps(cols);
  if (scalar) steps = {pieces(cols, 256), pieces(cols, 32)};
  const double passes = shape->backward ? 1.5 : 1.0;

  const double resident =
      std::max(1.0, std::min(card.threads_per_sm / kThreads, card.blocks_per_sm));
  const double at_work = std::min(rows, card.sms * resident);
  const double bytes = tensors * rows * row_bytes;
  time.l2_share = share_kept(bytes, card.l2_bytes, constants.l2_reach);
  const double reread = scalar ? 1.0
                               : share_reread(card.sms * resident, again * row_bytes, card.l2_bytes,
                                              constants.row_reach);
  const double dram = (bytes * (1.0 - time.l2_share) + again * rows * row_bytes * reread) /
                      (constants.dram * card.stream);
  const double issue =
      passes * rows * (constants.row_issue + constants.step_issue * steps.all) / issue_rate(card);
  const double latency = passes * rows *
                         (constants.row_cycles + constants.step_cycles * steps.slowest) /
                         (at_work * card.clock);
  time.seconds = kernels * card.floor + overlap(dram, issue, latency);
  time.bound = bound_of(kernels * card.floor, dram, std::max(issue, latency), time.l2_share);
  return time;
}

const OpFamily& layernorm_family() {
  static const FamilyOf<LayerNormConstants, kKeys.size()> kFamily("layernorm", kKeys,
                                                                  estimate_layernorm, describe);
  return kFamily;
}

}  // namespace uplift::predict
