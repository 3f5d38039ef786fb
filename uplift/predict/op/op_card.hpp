// SPDX-License-Identifier: Apache-2.0
// One card as the operation models see it: the handful of numbers that a formula may use, for one
// number format. Everything that tells two boards apart is in here; no model knows a board's name.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/kernel_class.hpp"
#include "uplift/core/math.hpp"
#include "uplift/model/gpu_model.hpp"

namespace uplift::predict {

/// SI units. Rates are what a large kernel sustains on the card's basis, not peaks.
struct OpCard {
  ComputeCapability generation;    ///< which family of library kernels runs
  double sms = 1;                  ///< streaming multiprocessors
  double clock = 1e9;              ///< Hz, of the CUDA cores
  double threads_per_sm = 2048;    ///< resident at most
  double blocks_per_sm = 32;       ///< resident at most
  double shared_bytes_per_sm = 0;  ///< B
  double l2_bytes = 0;             ///< B; 0: not known
  double rate = 0;                 ///< FLOP/s of a large GEMM in the operation's format
  double peak = 0;                 ///< FLOP/s of the data sheet in that format; 0: not known
  double cuda_core_rate = 0;       ///< FLOP/s in FP32, for what is not a matrix product
  double stream = 0;               ///< B/s from DRAM
  double l2_bandwidth = 0;         ///< B/s of reads that hit L2
  double peer = 0;                 ///< B/s one way to another GPU
  double host_link = 0;            ///< B/s one way to pinned host memory
  double floor = 0;                ///< s that any kernel takes
  double watts = 0;                ///< board power limit; 0: not known
};

/// The numbers of `gpu` for operations in `math`.
[[nodiscard]] OpCard describe_card(const model::GpuModel& gpu, Math math);

/// What one call takes on a card, and why.
struct OpTime {
  double seconds = 0;
  double l2_share = 0;  ///< of the operand traffic, served by L2
  Bound bound = Bound::kLaunch;
};

}  // namespace uplift::predict
