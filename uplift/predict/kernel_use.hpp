// SPDX-License-Identifier: Apache-2.0
// What a recorded kernel made of its own card: what bounds it, the traffic it moved, the rates it
// reached. docs/method.md, section 7.3.
#pragma once

#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/kernel_work.hpp"

#include <optional>

namespace uplift::predict {

/// Of one launch, on average.
struct KernelUse {
  Bound bound = Bound::kLaunch;
  bool shape_known = false;  ///< work follows from a recorded shape; otherwise from the time alone
  Bytes dram;                ///< estimates; true within a factor e^log_half_width (90 %)
  Bytes l2;
  double log_half_width = 0;
  /// From a recorded shape only: from the time alone they would say what the model assumes.
  std::optional<FlopsPerSecond> flop_rate;  ///< arithmetic kernels
  std::optional<BytesPerSecond> byte_rate;  ///< DRAM and L2 together
  std::optional<double> sustained_share;    ///< of the nearer ceiling: arithmetic, or DRAM and L2
};

/// Empty for a collective: its traffic is between cards.
[[nodiscard]] std::optional<KernelUse> describe_use(const DistinctKernel& kernel,
                                                    const model::GpuModel& card,
                                                    const model::Parameters& parameters);

/// What bounds the kernel on its own card; collectives are bound by communication.
[[nodiscard]] Bound bound_of(const DistinctKernel& kernel, const model::GpuModel& card,
                             const model::Parameters& parameters);

}  // namespace uplift::predict
