// SPDX-License-Identifier: Apache-2.0
// Copies within a card's memory, which read and write, and between it and pinned host memory.
//
//   on the card: time = floor + 2 bytes / (share of the DRAM rate)
//   host link:   time = start + bytes / (share of the link's rate)
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct CopyConstants {
  double dram = 0.95;     ///< share of the stream rate reached
  double link = 1.0;      ///< share of the host link's rate reached
  double l2_reach = 0.3;  ///< share of L2 kept from copy to copy
  double start = 1.5e-6;  ///< s in which a copy engine starts
};

[[nodiscard]] OpTime estimate_copy(const Op& op, const OpCard& card,
                                   const CopyConstants& constants);

[[nodiscard]] const OpFamily& copy_family();

}  // namespace uplift::predict
