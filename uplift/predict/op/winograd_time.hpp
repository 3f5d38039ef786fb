// SPDX-License-Identifier: Apache-2.0
// Winograd convolution (Lavin and Gray, arXiv:1509.09308) as libraries run it in FP32, for 3 x 3
// filters of stride 1: arithmetic is saved at the price of whole output tiles.
#pragma once

#include "uplift/predict/op/conv_work.hpp"

namespace uplift::predict {

struct WinogradConstants {
  double fused = 0.8;        ///< share of the GEMM rate, fused F(2x2, 3x3)
  double fused_start = 18;   ///< channels' worth of time before and after a block's loop
  double staged = 0.7;       ///< share of the GEMM rate, staged F(4x4, 3x3)
  double staged_start = 2;   ///< channels' worth of time likewise
  double staged_lone = 0.6;  ///< share of a multiprocessor's time that a block alone takes
  double passes = 3.7;       ///< times the transformed tensors move through DRAM
};

/// Whether libraries have these algorithms for the shape on such a card: from Hopper on, FP32
/// convolutions timed with cuDNN 9 run at the rate of implicit GEMM alone, but for weight
/// gradients.
[[nodiscard]] bool has_winograd(const ConvShape& shape, const OpCard& card);

/// Seconds, not counting launches; `lone` as in wave_time.
///
/// Fused: one kernel whose blocks hold 32 tiles of 2 x 2 outputs and 32 output channels, at 16
/// points each:
///     blocks x 2 x 16 x 32 x 32 x (c + fused_start)  /  (fused x rate),  in waves,  + bytes /
///     stream
/// The 32 tiles are a box of images x tile rows x tile columns: 1x4x8, and with the kernels of
/// Maxwell and Pascal also 2x2x8, 4x1x8, 2x4x4, 4x2x4.
///
/// Weight gradients have no fused kernel. Staged: the input in tiles of 4 x 4 outputs is
/// transformed to 36 points, multiplied in 36 GEMMs of [tiles, c] x [c, k] and transformed back:
///     2 x 36 x tiles x k x (c + staged_start) / (staged x rate), in tiles and waves,
///     + (passes x 36 (tiles (c + k) + c k) x 4 B + bytes) / stream
/// and likewise [k, tiles] x [tiles, c] for a weight gradient.
[[nodiscard]] double estimate_winograd(const ConvShape& shape, const ConvWork& work,
                                       const OpCard& card, const WinogradConstants& constants,
                                       double lone);

}  // namespace uplift::predict
