// SPDX-License-Identifier: Apache-2.0
// A convolution as the matrix products that libraries make of it (implicit GEMM: Chetlur et al.,
// cuDNN, arXiv:1410.0759, section 3), and how blocks of threads fill a card.
#pragma once

#include "uplift/core/op.hpp"
#include "uplift/predict/op/op_card.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::predict {

/// `groups` products of [rows, depth] by [depth, columns]. The depth is `taps` runs of `channels`
/// elements that lie together in memory; what is not together costs whole runs.
struct ConvWork {
  double groups = 1, rows = 1, columns = 1;
  double channels = 1, taps = 1;
  double input = 1, weights = 1, output = 1;  ///< elements of the three tensors
  double element_bytes = 4;
  double flops = 2;

  [[nodiscard]] double bytes() const { return (input + weights + output) * element_bytes; }
};

/// Forward: rows are output positions, columns output channels, the depth input channels x taps.
/// Data gradient: rows are the input positions that any tap reaches, columns input channels, the
/// depth output channels x the taps that reach a position. Weight gradient: rows are output
/// channels, columns input channels x taps, the depth output positions.
[[nodiscard]] ConvWork describe_conv(const Op& op);

[[nodiscard]] inline double tiles_over(double extent, double tile) {
  return std::ceil(extent / tile);
}

/// Time of `blocks` equal blocks on `sms` multiprocessors that hold `resident` each, in units of
/// what one block takes of a multiprocessor it shares with enough others. A last wave counts its
/// blocks one by one; a block alone waits for its own loads and takes `lone` x min(resident, 4).
[[nodiscard]] inline double wave_time(double blocks, double sms, double resident, double lone) {
  const double each = blocks / sms;
  const double full = std::floor(each / resident) * resident;
  const double rest = std::ceil(each - full);
  if (rest <= 0) return full;
  return full + std::min(resident, std::max(rest, lone * std::min(resident, 4.0)));
}

}  // namespace uplift::predict
