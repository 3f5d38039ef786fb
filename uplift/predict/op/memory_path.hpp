// SPDX-License-Identifier: Apache-2.0
// What the formulas of memory-bound operations share: how much of the traffic L2 keeps from call to
// call, how fast an SM issues instructions, and how parts of a kernel that run at the same time
// add.
#pragma once

#include "uplift/predict/op/op_card.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::predict {

/// Share of `bytes` that L2 still holds from a call before on the same buffers. Far above the size
/// of L2 it keeps a fixed number of bytes, `reach` of its size: less than all of it, as what was
/// written has to go to DRAM whatever happens.
[[nodiscard]] inline double share_kept(double bytes, double l2_bytes, double reach) {
  const double kept = reach * l2_bytes;
  return kept > 0 ? kept / (std::max(bytes, 1.0) + kept) : 0.0;
}

/// Share of the second reads of a row that miss L2, if rows of `row_bytes` are being worked on,
/// `rows` of them: between a row's two readings the others pass through L2.
[[nodiscard]] inline double share_reread(double rows, double row_bytes, double l2_bytes,
                                         double reach) {
  const double in_flight = rows * row_bytes;
  const double held = reach * l2_bytes;
  return in_flight * in_flight / (in_flight * in_flight + held * held + 1.0);
}

/// Warp instructions a second. An SM issues four a cycle; the P100 (6.0) has half an SM of the
/// other Pascal cards and issues two (NVIDIA, Pascal P100 white paper, 2016).
[[nodiscard]] inline double issue_rate(const OpCard& card) {
  const bool half = card.generation == ComputeCapability{6, 0};
  return card.sms * (half ? 2.0 : 4.0) * card.clock;
}

/// Seconds of parts that overlap: their soft maximum with exponent 3.
[[nodiscard]] inline double overlap(double a, double b, double c = 0) {
  return std::cbrt(a * a * a + b * b * b + c * c * c);
}

/// Number of `size` needed to cover `count`, at least 1.
[[nodiscard]] inline double pieces(double count, double size) {
  return std::max(1.0, std::ceil(count / size));
}

/// What takes the most of a call's time.
[[nodiscard]] inline Bound bound_of(double floor, double memory, double work, double l2_share) {
  if (floor >= memory && floor >= work) return Bound::kLaunch;
  if (work > memory) return Bound::kCompute;
  return l2_share > 0.5 ? Bound::kCache : Bound::kMemory;
}

}  // namespace uplift::predict
