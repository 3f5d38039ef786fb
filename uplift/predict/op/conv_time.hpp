// SPDX-License-Identifier: Apache-2.0
// Convolutions on CUDA cores and on tensor cores.
#pragma once

#include "uplift/predict/op/op_family.hpp"
#include "uplift/predict/op/winograd_time.hpp"

namespace uplift::predict {

/// FP32 (and FP64) on CUDA cores: the least of an implicit GEMM and, where the filter has one,
/// Winograd's algorithms, as libraries choose by time:
///     blocks x 2 x 128 x b x (channels + start) x taps  /  (share(b) x rate),  in waves,
///     + bytes / stream
/// with tiles of 128 rows by b = 32, 64 or 128 columns. The bytes add to the arithmetic: loads of
/// an image go through index arithmetic and hardly run ahead. A weight gradient has few tiles and a
/// deep sum, so the sum is split among blocks until the card is full; the parts are written and read
/// once more. Convolutions of one channel a group use no tiles.
struct ConvCudaConstants : WinogradConstants {
  double narrow = 0.83;  ///< share of the GEMM rate with tiles of 32 columns
  double wide = 0.97;    ///< share with wider ones
  double start = 1.6;    ///< channels' worth of time before and after a block's loop
  double lone = 0.35;    ///< share of a multiprocessor's time that a block alone takes
  double direct = 0.25;  ///< share of the GEMM rate without tiles, one channel a group
};

[[nodiscard]] OpTime estimate_conv_cuda(const Op& op, const OpCard& card,
                                        const ConvCudaConstants& constants);

[[nodiscard]] const OpFamily& conv_fp32_family();

}  // namespace uplift::predict
