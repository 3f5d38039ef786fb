// SPDX-License-Identifier: Apache-2.0
// A recorded step on another card: every kernel and copy transferred, the step replayed, the result
// scaled by what the replay misses on the source itself.
#pragma once

#include "uplift/core/dimension.hpp"
#include "uplift/core/quantity.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/kernel_transfer.hpp"
#include "uplift/predict/step_replay.hpp"

#include <array>
#include <vector>

namespace uplift::predict {

struct StepPrediction {
  Seconds source;                                         ///< measured
  Seconds predicted, low, high;                           ///< on the target; 90 %
  std::array<Seconds, kBounds.size()> source_by_bound{};  ///< sum to `source`
  std::array<Seconds, kBounds.size()> target_by_bound{};  ///< sum to `predicted`
  double replay_scale = 1;        ///< measured over replayed step on the source
  std::vector<Transfer> kernels;  ///< one per Workload::kernels, for its mean launch
};

/// Measured over replayed step, kernels and copies as recorded; 0: it cannot be replayed.
[[nodiscard]] double replay_scale(const Workload& workload);

/// The step if kernels and copies took no time: what the host alone needs, and no GPU can go below.
[[nodiscard]] Seconds floor_of(const Workload& workload);

[[nodiscard]] StepPrediction predict_step(const Workload& workload, const model::GpuModel& source,
                                          const model::GpuModel& target,
                                          const model::Parameters& parameters);

/// Factor of each dimension in the as-is speedup; 0 for dimensions that are not modelled. The
/// factors multiply to source / predicted. Shapley values of log speedup over taking the target's
/// terms one by one (docs/method.md, section 5).
[[nodiscard]] std::array<double, kDimensions.size()> attribute_speedup(
    const Workload& workload, const model::GpuModel& source, const model::GpuModel& target,
    const model::Parameters& parameters);

}  // namespace uplift::predict
