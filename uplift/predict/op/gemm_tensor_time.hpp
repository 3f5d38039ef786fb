// SPDX-License-Identifier: Apache-2.0
// Matrix products on tensor cores: C[m,n] = A[m,k] B[k,n], b times, in any tensor format; and the
// same in FP8 behind the conversion of A.
//
// For a tile of r x s outputs and a split z of the contraction (all times in seconds):
//     load    = b ceil(m/r) ceil(n/s) z / SMs                      tiles an SM
//     waves   = 1 if load <= 1, else q ceil(load) + (1 - q) load   q: how far SMs wait for a wave
//     tile    = 2 r s (k/z + fill) / (rate / SMs x e)    e = I / (I + I0), I = r s / (r + s),
//     scaled
//                                                        to 1 at 256 x 128: operands of larger
//                                                        tiles are used more often
//     compute = waves x tile
//     memory  = (read + write) / min(1, load / 0.6)      fewer blocks leave DRAM idle
//     work    = (compute^4 + memory^4)^(1/4) + exposed x write + split
//     time    = floor + start + least work x power
//
// Weights and activations are read from DRAM: between two uses of a weight lies the rest of the
// model. What is written stays in the L2 as far as it fits there. `exposed`: the end of a tile,
// when nothing is left to multiply. `split` adds what the sum over the parts takes. Tensor-core
// kernels before Hopper start a block per tile; later ones are persistent and overlap the end of
// one tile with the begin of the next (NVIDIA CUTLASS 3, warp-specialised kernels), so q differs.
//
// Power (dynamic power of CMOS is switched capacitance x voltage^2 x frequency, and voltage follows
// frequency): at clock f the tensor cores take  joule_scale x peak x f^2  when they never wait.
// Where that exceeds the board's limit by x, the clock falls by x^(1/3), with a lag of some 0.5 ms.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct GemmTensorConstants {
  double wave_ampere = 0.4;     ///< q before compute capability 9
  double wave_hopper = 0.05;    ///< q from 9 on
  double exposed = 0.2;         ///< share of the writing that nothing hides
  double tile_half = 35.0;      ///< I0, FLOPs an element loaded
  double fill_bytes = 290.0;    ///< along k, before a tile's products flow
  double write_reach = 0.85;    ///< output at which half of it stays in L2, in L2 sizes
  double write_l2 = 0.33;       ///< share of the L2 bandwidth that writing reaches
  double split_cycles = 4e3;    ///< clock cycles that a split contraction costs
  double start_cycles = 5e3;    ///< clock cycles until the first tile's products flow
  double joule_scale = 0.4;     ///< pJ a 16-bit FLOP at 1 GHz, in a 4 or 5 nm process
  double power_lag = 0.8e-3;    ///< s of a kernel after which half of the loss of clock is seen
  double convert_cycles = 7e3;  ///< FP8: clock cycles that starting the conversion takes
  double reread = 0.3;          ///< FP8: of A for each further 128 columns, where L2 cannot hold A
};

/// Any tensor format. Shapes that are no matrix product give the floor.
[[nodiscard]] OpTime estimate_gemm_tensor(const Op& op, const OpCard& card,
                                          const GemmTensorConstants& constants);

/// FP8 with A given in 16 bits: conversion with a scale per tensor, then the product.
[[nodiscard]] OpTime estimate_gemm_fp8(const Op& op, const OpCard& card,
                                       const GemmTensorConstants& constants);

[[nodiscard]] const OpFamily& gemm_tensor_family();
[[nodiscard]] const OpFamily& gemm_fp8_family();

}  // namespace uplift::predict
