// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/reduce_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace uplift::predict {
namespace {

using Key = ParameterKey<ReduceConstants>;

constexpr std::array kKeys = {
    Key{"dram", &ReduceConstants::dram, 0.7, 1.3},
    Key{"warp_issue", &ReduceConstants::warp_issue, 20, 5000},
    Key{"step_issue", &ReduceConstants::step_issue, 2, 500},
    Key{"row_cycles", &ReduceConstants::row_cycles, 100, 50000},
    Key{"step_cycles", &ReduceConstants::step_cycles, 50, 5000},
};

constexpr double kVector = 4;
constexpr double kBlock = 512;
constexpr double kManyValues = 256;  ///< for one thread: the row is split further
constexpr double kFewValues = 16;    ///< for one thread: it is not

/// Threads that share a row.
double threads_per_row(double rows, double cols, const OpCard& card) {
  const auto vectors = static_cast<std::uint64_t>(std::max(1.0, cols / kVector));
  const double group = static_cast<double>(std::min<std::uint64_t>(32, std::bit_floor(vectors)));
  if (cols / group < kManyValues) return group;
  const double values = cols / kBlock;
  if (values < kManyValues) return kBlock;
  const double to_fill = std::ceil(card.sms * card.threads_per_sm / kBlock / rows);
  const double blocks =
      std::max(std::min(to_fill, std::ceil(values / kFewValues)), std::ceil(values / kManyValues));
  return kBlock * blocks;
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<RowsShape>(&op.shape);
  if (shape == nullptr) return {};
  return {std::log(static_cast<double>(shape->rows)), std::log(static_cast<double>(shape->cols))};
}

}  // namespace

OpTime estimate_reduce(const Op& op, const OpCard& card, const ReduceConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<RowsShape>(&op.shape);
  if (shape == nullptr) return time;
  const double rows = static_cast<double>(shape->rows);
  const double cols = static_cast<double>(shape->cols);
  // The backward pass spreads one value over each row.
  const double bytes = rows * (cols * op.element_bytes + op.out_element_bytes);
  const double dram = bytes / (constants.dram * card.stream);
  const double threads = threads_per_row(rows, cols, card);
  const double steps = pieces(cols, threads * kVector);
  const double issue = rows * threads / 32.0 *
                       (constants.warp_issue + constants.step_issue * steps) / issue_rate(card);
  const double waves = std::max(1.0, rows * threads / (card.sms * card.threads_per_sm));
  const double join = threads > 32 ? constants.row_cycles : 0.0;
  const double latency = waves * (join + constants.step_cycles * steps) / card.clock;
  const double work = shape->backward ? 0.0 : std::max(issue, latency);
  time.seconds = card.floor + (shape->backward ? dram : overlap(dram, issue, latency));
  time.bound = bound_of(card.floor, dram, work, 0);
  return time;
}

const OpFamily& reduce_family() {
  static const FamilyOf<ReduceConstants, kKeys.size()> kFamily("reduce", kKeys, estimate_reduce,
                                                               describe);
  return kFamily;
}

}  // namespace uplift::predict
