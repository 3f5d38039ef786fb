// SPDX-License-Identifier: Apache-2.0
// Elementwise operations: bytes over the bandwidths of DRAM and L2, plus what starting costs.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct ElementwiseConstants {
  double dram = 1.0;      ///< share of the stream rate reached
  double l2 = 0.5;        ///< share of SMs x 64 B x clock reached by hits
  double l2_reach = 0.5;  ///< traffic at which half of it is served, in L2 sizes
  double l2_steepness = 2.0;
};

[[nodiscard]] OpTime estimate_elementwise(const Op& op, const OpCard& card,
                                          const ElementwiseConstants& constants);

[[nodiscard]] const OpFamily& elementwise_family();

}  // namespace uplift::predict
