// SPDX-License-Identifier: Apache-2.0
// Any other kernel, of which FLOPs, DRAM bytes and the launch are known.
//
//   time    = floor + (compute^3 + memory^3 + fill^3)^(1/3)
//   compute = FLOPs / (share of the rate) x waves rounded up / waves, in part
//   memory  = bytes missing L2 / DRAM rate
//   fill    = bytes / (resident threads x bytes a thread has on the way / DRAM latency)
//
// Blocks that fit on an SM follow from threads, registers, shared memory and the block limit (CUDA
// C++ Programming Guide, "Compute Capabilities"); fill is Little's law (Volkov, UC Berkeley
// EECS-2016-143). A launch that is not known fills the card.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct KernelConstants {
  double dram = 0.95;        ///< share of the stream rate reached
  double rate = 0.8;         ///< share of a large GEMM's rate reached
  double l2_reach = 0.3;     ///< share of L2 kept from call to call
  double thread_bytes = 16;  ///< that a thread has on the way
  double dram_cycles = 800;  ///< from a request to its data, under load
};

[[nodiscard]] OpTime estimate_kernel(const Op& op, const OpCard& card,
                                     const KernelConstants& constants);

[[nodiscard]] const OpFamily& kernel_family();

}  // namespace uplift::predict
