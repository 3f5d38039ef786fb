// SPDX-License-Identifier: Apache-2.0
// What one change to the program would save on the same card: the recorded step replayed with the
// change, against itself. Each change stands alone; savings do not add up. docs/method.md, section
// 7.2.
#pragma once

#include "uplift/core/step_timeline.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"

#include <array>

namespace uplift::predict {

/// What a change saves of a step without the profiler. 0 <= low <= predicted <= high <= recorded
/// step.
struct Saving {
  Seconds predicted;
  Seconds low;
  Seconds high;
};

class StepSavings {
 public:
  /// Replays the recorded step; `workload` and `parameters` outlive this.
  StepSavings(const Workload& workload, const model::Parameters& parameters);

  /// Copies from host to device pinned and asked for one step ahead on a stream of their own.
  /// Without a card pageable copies keep their recorded time.
  [[nodiscard]] Saving by_prefetch(const StepTimeline& timeline, const model::GpuModel* card) const;
  /// The launches of the step replayed as CUDA graphs: the device no longer waits for the host.
  [[nodiscard]] Saving by_graphs() const;
  /// No synchronisation in the step, and no copy to the host that is waited for.
  [[nodiscard]] Saving by_not_waiting() const;
  /// The kernels of is_reformattable in `math`.
  [[nodiscard]] Saving by_format(Math math, const model::GpuModel& card) const;
  /// Collectives under other kernels as far as there are any: the most that can be hidden, so the
  /// low end is nothing.
  [[nodiscard]] Saving by_hiding_collectives() const;

 private:
  template <class MakeVariant>
  [[nodiscard]] Saving save_by(bool estimated, const MakeVariant& variant) const;

  const Workload& workload_;
  const model::Parameters& parameters_;
  std::array<Seconds, 3> recorded_{};  ///< the replayed step, by pace of the host
  double scale_ = 0;                   ///< measured over replayed step; 0: cannot be replayed
};

/// True for copies that by_prefetch changes: from the host, exposed, and for a reason that the
/// program can remove.
[[nodiscard]] bool is_prefetchable(const CopyUse& use, const DistinctCopy& copy);

/// True for matrix work in FP32 (for 16-bit formats in TF32, too) that `math` runs faster.
[[nodiscard]] bool is_reformattable(const DistinctKernel& kernel, Math math,
                                    const model::GpuModel& card);

}  // namespace uplift::predict
