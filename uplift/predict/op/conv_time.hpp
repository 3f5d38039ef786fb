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
/// deep sum, so the sum is split among blocks until the card is full; the parts are written and
/// read once more. Convolutions of one channel a group use no tiles (direct_seconds).
struct ConvCudaConstants : WinogradConstants {
  double narrow = 0.83;  ///< share of the GEMM rate with tiles of 32 columns
  double wide = 0.97;    ///< share with wider ones
  double start = 1.6;    ///< channels' worth of time before and after a block's loop
  double lone = 0.35;    ///< share of a multiprocessor's time that a block alone takes
  double direct = 1;     ///< instructions over those counted, one channel a group
};

[[nodiscard]] OpTime estimate_conv_cuda(const Op& op, const OpCard& card,
                                        const ConvCudaConstants& constants);

/// TF32, FP16, BF16 and narrower on tensor cores: an implicit GEMM
///     compute = blocks x 2 a b x (taps x padded channels + start) / (share(a, b) x rate),
///               in waves, for the best tile a x b; channels are padded to runs of 64 B,
///     share(a, b) = wide x (1 + 3/4 feed) / (1 + feed x (64/a + 64/b) x element bytes / 2)
///     seconds = kernels x floor + (compute^4 + memory^4)^(1/4),   memory = bytes / (dram x stream)
/// share falls with the operand bytes that a tile loads for its arithmetic, and is `wide` for the
/// 256 x 128 tile in two-byte formats. Each tap reads its channels in whole runs, so few channels
/// waste most of a run. Channels that do not fill 16 B, the width of one load, are copied into a
/// padded tensor first. Weight gradients are split and one-channel groups run without tiles as
/// above.
struct ConvTensorConstants {
  double wide = 0.98;  ///< share of the GEMM rate with the largest tile
  double feed = 1.35;  ///< weight of operand loads against arithmetic, for a 64 x 64 tile
  double start = 110;  ///< terms of the sum's worth of time before and after a block's loop
  double lone = 0.34;  ///< share of a multiprocessor's time that a block alone takes
  double dram = 0.83;  ///< share of the stream rate reached
  double direct = 1;   ///< instructions over those counted, one channel a group
  double kernels = 8;  ///< floors of a call: the product, and what lays out filters and offsets
};

[[nodiscard]] OpTime estimate_conv_tensor(const Op& op, const OpCard& card,
                                          const ConvTensorConstants& constants);

[[nodiscard]] const OpFamily& conv_fp32_family();
[[nodiscard]] const OpFamily& conv_tensor_family();

}  // namespace uplift::predict
