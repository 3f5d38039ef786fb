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
  Seconds source;                       ///< measured
  Seconds predicted, low, high;         ///< on the target; 90 %
  Seconds profiled_low, profiled_high;  ///< the interval as a profile of the target would leave it
  std::array<Seconds, kBounds.size()> source_by_bound{};  ///< sum to `source`
  std::array<Seconds, kBounds.size()> target_by_bound{};  ///< sum to `predicted`
  double replay_scale = 1;        ///< measured over replayed step on the source
  std::vector<Transfer> kernels;  ///< one per Workload::kernels, for its mean launch
};

/// Measured over replayed step, kernels and copies as recorded; 0: it cannot be replayed.
[[nodiscard]] double replay_scale(const Workload& workload);

/// The step if kernels and copies took no time: what the host alone needs, and no GPU can go below.
[[nodiscard]] Seconds floor_of(const Workload& workload);

[[nodiscard]] StepPrediction predict_step(const Workload& workload, const OpCardInput& source,
                                          const OpCardInput& target,
                                          const model::Parameters& parameters);
/// Cards on which no operations were timed.
[[nodiscard]] inline StepPrediction predict_step(const Workload& workload,
                                                 const model::GpuModel& source,
                                                 const model::GpuModel& target,
                                                 const model::Parameters& parameters) {
  return predict_step(workload, OpCardInput{&source, {}}, OpCardInput{&target, {}}, parameters);
}

/// Factor of each dimension in the as-is speedup, as far as the cards' ceilings make it; 0 for
/// dimensions that are not modelled. Unless operations were timed on the target, the factors
/// multiply to source / predicted. Shapley values of log speedup over taking the target's
/// terms one by one (docs/method.md, section 5).
[[nodiscard]] std::array<double, kDimensions.size()> attribute_speedup(
    const Workload& workload, const OpCardInput& source, const model::GpuModel& target,
    const model::Parameters& parameters);
/// A source on which no operations were timed.
[[nodiscard]] inline std::array<double, kDimensions.size()> attribute_speedup(
    const Workload& workload, const model::GpuModel& source, const model::GpuModel& target,
    const model::Parameters& parameters) {
  return attribute_speedup(workload, OpCardInput{&source, {}}, target, parameters);
}

}  // namespace uplift::predict
