// SPDX-License-Identifier: Apache-2.0
// Star stencils on a grid of three axes: every point is read once and written once, if L2 holds the
// planes around the one at work; each neighbour is a load from L1.
//
//   time = floor + ((DRAM bytes / DRAM rate)^3 + (warp loads / (SMs x clock))^3)^(1/3)
//
// The defaults are what a plain Triton kernel took on an H200, data/measured; one that keeps planes
// in shared memory comes closer to DRAM's rate.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct StencilConstants {
  double dram = 0.85;     ///< share of the stream rate reached
  double loads = 2.8;     ///< cycles an SM takes for a warp's load of four bytes a thread
  double l2_reach = 0.5;  ///< share of L2 that holds planes
};

[[nodiscard]] OpTime estimate_stencil(const Op& op, const OpCard& card,
                                      const StencilConstants& constants);

[[nodiscard]] const OpFamily& stencil_family();

}  // namespace uplift::predict
