// SPDX-License-Identifier: Apache-2.0
// Sums and other reductions along rows, as PyTorch lays them out (Reduce.cuh, setReduceConfig): a
// group of up to 32 threads takes a row, each thread four elements at a time; rows of which a
// thread would get 256 elements or more take a block of 512 threads, and very long ones several.
//
//   time    = floor + (memory^3 + issue^3 + latency^3)^(1/3)
//   memory  = bytes read and written over the DRAM rate
//   issue   = warps (warp_issue + step_issue x steps) / instructions a second
//   latency = waves of rows x (row_cycles, if blocks, + step_cycles x steps) / clock
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct ReduceConstants {
  double dram = 1.0;         ///< share of the stream rate reached
  double warp_issue = 300;   ///< warp instructions of a warp besides its steps
  double step_issue = 20;    ///< warp instructions a step
  double row_cycles = 4000;  ///< cycles in which a block joins what its threads have
  double step_cycles = 750;  ///< cycles a step takes: a load from DRAM
};

[[nodiscard]] OpTime estimate_reduce(const Op& op, const OpCard& card,
                                     const ReduceConstants& constants);

[[nodiscard]] const OpFamily& reduce_family();

}  // namespace uplift::predict
