// SPDX-License-Identifier: Apache-2.0
// Layer norm along rows, as PyTorch runs it (layer_norm_kernel.cu, vectorized_layer_norm_kernel): a
// block of 128 threads a row, each thread four elements at a time. The first pass finds mean and
// variance by Welford's recurrence, the second reads the row again and writes it. Rows whose length
// is no multiple of four take two kernels of one element at a time.
//
//   time   = floor + (memory^3 + issue^3 + latency^3)^(1/3)
//   memory = bytes read, read again where L2 has lost the row, and written, over the DRAM rate
//   issue  = rows (row_issue + step_issue x steps of all warps) / instructions a second
//   latency = rows (row_cycles + step_cycles x steps of the slowest warp) / rows at work / clock
//
// The compiler unrolls the passes by four: a thread with 4 j + i steps runs j bodies of four and i
// single steps. In a warp where some threads have four steps and the others three both are run one
// after the other, and the whole block waits for it.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct LayerNormConstants {
  double dram = 1.0;          ///< share of the stream rate reached
  double l2_reach = 0.3;      ///< share of L2 kept from call to call
  double row_reach = 0.8;     ///< bytes at work at which half of the second reads miss, in L2 sizes
  double row_issue = 1500;    ///< warp instructions a row, reductions within the block
  double step_issue = 100;    ///< warp instructions a step of one warp
  double row_cycles = 2000;   ///< cycles a block takes without its steps
  double step_cycles = 1000;  ///< cycles a step takes, both passes
};

[[nodiscard]] OpTime estimate_layernorm(const Op& op, const OpCard& card,
                                        const LayerNormConstants& constants);

[[nodiscard]] const OpFamily& layernorm_family();

}  // namespace uplift::predict
