// SPDX-License-Identifier: Apache-2.0
// Elementwise operations (PyTorch's vectorized_elementwise_kernel): bytes over the bandwidths of
// DRAM and of L2 for what it still holds, or the instructions of a power, plus what starting costs.
//
//   time = floor + (memory^3 + power^3)^(1/3)
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct ElementwiseConstants {
  double dram = 1.0;      ///< share of the stream rate reached with two inputs or more
  double l2 = 0.5;        ///< share of SMs x 64 B x clock reached by hits
  double l2_reach = 0.3;  ///< share of L2 kept from call to call
  double power = 60;      ///< warp instructions for 32 powers with one exponent for all
};

[[nodiscard]] OpTime estimate_elementwise(const Op& op, const OpCard& card,
                                          const ElementwiseConstants& constants);

[[nodiscard]] const OpFamily& elementwise_family();

}  // namespace uplift::predict
