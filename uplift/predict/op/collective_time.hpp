// SPDX-License-Identifier: Apache-2.0
// Collectives among GPUs: the start of a call, a latency for every step of the ring, and the bytes
// that a GPU sends over the rate of its slowest link. Two ways to send them as NCCL has them: the
// low-latency one starts sooner and wastes part of the link; the faster one is taken. Links are
// NVLink (through switches), PCIe and, between nodes, the network; the switches of Hopper and later
// add up all-reduces themselves. docs/method.md has the sources.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

/// Latencies are counted in bytes that an NVLink of that card carries meanwhile.
struct CollectiveConstants {
  double link = 0.95;        ///< share of what NCCL takes a link to carry, in long messages
  double low_latency = 0.9;  ///< share of what low-latency lines carry at most
  double start = 1.6e6;      ///< B, until the first step
  double step = 1.5e5;       ///< B, per step of the ring: 0.6 us on an A100
  double bulk_start = 4e6;   ///< B, before the bulk way runs at its rate
  double in_switch = 0.85;   ///< share of a link that reductions in the switch reach
};

[[nodiscard]] OpTime estimate_collective(const Op& op, const OpCard& card,
                                         const CollectiveConstants& constants);

[[nodiscard]] const OpFamily& collective_family();

}  // namespace uplift::predict
