// SPDX-License-Identifier: Apache-2.0
// Softmax along rows, as PyTorch runs it. Up to 1024 columns a warp keeps its row in registers and
// reads it once (PersistentSoftmax.cuh, softmax_warp_forward). Above, a block reads the row three
// times, for the maximum, the sum and the result (SoftMax.cu, cunn_SoftMaxForward); it takes whole
// bodies of 16 bytes a thread, then single elements for the rest of the row and for the start of a
// row that is not aligned to 16 bytes.
//
//   time    = floor + (memory^3 + issue^3 + latency^3)^(1/3)
//   memory  = bytes read, read again where L2 has lost the row, and written, over the DRAM rate
//   issue   = rows (row_issue + element_issue x warps of elements) / instructions a second
//   latency = rows (row_cycles + step_cycles x steps) / rows at work / clock       (blocks only)
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct SoftmaxConstants {
  double dram = 1.0;       ///< share of the stream rate reached
  double l2_reach = 0.3;   ///< share of L2 kept from call to call
  double row_reach = 1.2;  ///< bytes at work at which half of the second reads miss, in L2 sizes
  double warp_row_issue = 300;      ///< warp instructions a row that one warp takes
  double warp_element_issue = 30;   ///< and for every 32 columns, rounded up to a power of two
  double block_row_issue = 300;     ///< warp instructions a row that one block takes
  double block_element_issue = 60;  ///< and for every 32 columns
  double row_cycles = 4000;         ///< cycles a block takes without its steps
  double step_cycles = 1000;        ///< cycles a step takes, all passes
};

[[nodiscard]] OpTime estimate_softmax(const Op& op, const OpCard& card,
                                      const SoftmaxConstants& constants);

[[nodiscard]] const OpFamily& softmax_family();

}  // namespace uplift::predict
