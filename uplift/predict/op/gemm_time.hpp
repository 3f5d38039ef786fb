// SPDX-License-Identifier: Apache-2.0
// Matrix products on CUDA cores (FP32, FP64): tiles over the SMs in waves, against the operand
// traffic of the tiles that run at one time. With r x c outputs to a block, s steps of the
// contraction in it, R the rate of one SM, and the tiling that the library would choose:
//   arithmetic = 2 r c (s + fill_steps) / R x tile loss x rounds
//   DRAM = (operands read x locality + outputs) / (dram x stream)
//   L2   = operands of all blocks / (l2 x SMs x 64 B x clock)
//   time = soft maximum of the three + what any kernel takes
// Rounds are the quantisation by tiles and waves of NVIDIA's Matrix Multiplication Background
// User's Guide.
// Blocks of one wave share the operands that they read at the same step; those that started at
// different times share less the longer the contraction is over L2. Rows far apart cost DRAM pages
// and address translations (Jia et al., arXiv:1804.06826). A power limit below the
// peak lets short calls run faster than long ones.
#pragma once

#include "uplift/predict/op/gemm_tiles.hpp"
#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct ProductConstants {
  double tile_loss = 0.12;     ///< more operand per product in smaller tiles
  double fill_steps = 18.0;    ///< of the contraction, to fill and drain a block
  double warps = 5.0;          ///< that hide the latency of 64 lanes
  double held = 1.5;           ///< L2 sizes of the second operand that waves find again
  double drift = -2.8;         ///< blocks that share operands run apart: offset of its logistic,
  double drift_slope = 1.5;    ///< its slope in ln of a wave's operands over L2,
  double drift_across = 0.75;  ///< and how much of it neighbours along n show, that start together
  double reach_kb = 290.0;     ///< kB from row to row at which DRAM pages and translation of
                               ///< addresses double DRAM time
  double reach_slope = 0.45;
  double strided = 1.0;        ///< traffic of operands read along k, over that of contiguous ones
  double strided_early = 2.8;  ///< likewise, more, before compute capability 7
  double dram = 1.1;           ///< share of the stream rate reached
  double l2 = 0.35;            ///< share of SMs x 64 B x clock reached
  double overlap = 2.0;        ///< exponent of the soft maximum of arithmetic, DRAM and L2
  double boost = 0.6;          ///< most that a short call runs above a power-limited rate
  double boost_share = 0.75;   ///< of the peak that a call reaches before power limits it
  double boost_ms = 1.8;       ///< how long that lasts
};

/// Batched products have constants of their own: other kernels, other layouts.
struct BatchedProductConstants : ProductConstants {
  BatchedProductConstants();
};

/// Time of `op` (a GemmShape) as kernels of `layout` take it.
[[nodiscard]] OpTime estimate_product(const Op& op, const OpCard& card,
                                      const ProductConstants& constants, Layout layout);

/// C[m,n] = A[m,k] B, B stored as [n,k].
[[nodiscard]] const OpFamily& gemm_fp32_family();
/// b products C[m,n] = A[m,k] B[k,n].
[[nodiscard]] const OpFamily& gemm_batched_fp32_family();

}  // namespace uplift::predict
