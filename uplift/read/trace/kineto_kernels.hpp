// SPDX-License-Identifier: Apache-2.0
// Groups the device records of the complete steps into distinct kernels and copies.
#pragma once

#include "uplift/core/workload.hpp"
#include "uplift/read/trace/kineto_links.hpp"
#include "uplift/read/trace/kineto_records.hpp"
#include "uplift/read/trace/kineto_steps.hpp"

#include <cstdint>
#include <vector>

namespace uplift::read {

/// Per device record: its index in Workload::kernels or ::copies, or kNone outside complete steps.
using StepItems = std::vector<std::int32_t>;

/// Fills `workload.kernels` (by falling total time) and `workload.copies`.
[[nodiscard]] StepItems collect_items(const KinetoRecords& records, const KinetoLinks& links,
                                      const StepTimeline& timeline, Workload& workload);

}  // namespace uplift::read
