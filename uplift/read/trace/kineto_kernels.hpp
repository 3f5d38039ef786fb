// SPDX-License-Identifier: Apache-2.0
// Groups the activities of the complete steps into distinct kernels and copies.
#pragma once

#include "uplift/core/workload.hpp"
#include "uplift/read/trace/kineto_links.hpp"
#include "uplift/read/trace/kineto_records.hpp"
#include "uplift/read/trace/kineto_steps.hpp"

#include <cstdint>
#include <vector>

namespace uplift::read {

/// Per activity: its index in Workload::kernels or ::copies, or kNone outside complete steps.
using StepItems = std::vector<std::int32_t>;

/// Fills `workload.kernels` (by falling total time) and `workload.copies`, and moves the stacks of
/// `links` to `workload.stacks` with the kernels launched from each.
[[nodiscard]] StepItems collect_items(const KinetoRecords& records, KinetoLinks& links,
                                      const StepTimeline& timeline, Workload& workload);

}  // namespace uplift::read
