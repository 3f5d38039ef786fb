// SPDX-License-Identifier: Apache-2.0
// What one change to the program would save on the same card: the recorded step replayed with the
// change, against itself. Each change stands alone; savings do not add up. docs/method.md, section
// 7.2.
#pragma once

#include "uplift/core/step_timeline.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"

namespace uplift::predict {

/// Seconds of Workload::step_length that a change saves; 0 <= low <= predicted <= high <= step.
struct Saving {
  Seconds predicted;
  Seconds low;
  Seconds high;
};

/// Copies from host to device pinned and asked for one step ahead on a stream of their own. Without
/// a card pageable copies keep their recorded time.
[[nodiscard]] Saving save_by_prefetch(const Workload& workload, const StepTimeline& timeline,
                                      const model::GpuModel* card,
                                      const model::Parameters& parameters);

/// True for copies that save_by_prefetch changes: from the host, exposed, and for a reason that the
/// program can remove.
[[nodiscard]] bool is_prefetchable(const CopyUse& use, const DistinctCopy& copy);

/// The launches of the step replayed as CUDA graphs: the device no longer waits for the host.
[[nodiscard]] Saving save_by_graphs(const Workload& workload, const model::Parameters& parameters);

/// No synchronisation in the step, and no copy to the host that is waited for.
[[nodiscard]] Saving save_by_not_waiting(const Workload& workload,
                                         const model::Parameters& parameters);

/// Matrix work recorded in FP32 (for 16-bit formats in TF32, too) in `math`.
[[nodiscard]] Saving save_by_format(const Workload& workload, Math math,
                                    const model::GpuModel& card,
                                    const model::Parameters& parameters);

/// True for a kernel that save_by_format changes: matrix work that `math` runs faster.
[[nodiscard]] bool is_reformattable(const DistinctKernel& kernel, Math math,
                                    const model::GpuModel& card);

/// Collectives under other kernels as far as there are any: the most that can be hidden, so the low
/// end is nothing.
[[nodiscard]] Saving save_by_hiding_collectives(const Workload& workload,
                                                const model::Parameters& parameters);

}  // namespace uplift::predict
