// SPDX-License-Identifier: Apache-2.0
// Copies within a card's memory, which read and write, and between it and pinned host memory.
//
//   on the card: time = floor + 2 bytes / (share of the DRAM rate)
//   host link:   time = start + bytes / (share of the link's rate), + round_trip to the card
//
// A card reads host memory by requests that it waits for, and writes there without an answer (PCI
// Express base specification: posted and non-posted transactions).
//
// Both sides of a copy count as DRAM traffic, since a call does not find in L2 what the one before
// has copied. The defaults are those of an H200 on PCIe 5.0, data/measured; the link's rate is what
// the card's model gives.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct CopyConstants {
  double dram = 0.95;        ///< share of the stream rate reached
  double link = 1.1;         ///< share of the host link's rate reached
  double start = 6e-7;       ///< s in which a copy engine starts
  double round_trip = 9e-7;  ///< s from a request over the link to its answer
};

[[nodiscard]] OpTime estimate_copy(const Op& op, const OpCard& card,
                                   const CopyConstants& constants);

[[nodiscard]] const OpFamily& copy_family();

}  // namespace uplift::predict
