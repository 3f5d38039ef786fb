// SPDX-License-Identifier: Apache-2.0
// The representative step as the host saw it: launches, copies and synchronisations in order, with
// what the device did for each. This is what a replay on another card starts from.
#pragma once

#include "uplift/core/workload.hpp"
#include "uplift/read/trace/kineto_kernels.hpp"
#include "uplift/read/trace/kineto_links.hpp"
#include "uplift/read/trace/kineto_records.hpp"
#include "uplift/read/trace/kineto_steps.hpp"

namespace uplift::read {

[[nodiscard]] Step order_step(const KinetoRecords& records, const KinetoLinks& links,
                              const StepTimeline& timeline, const StepItems& items);

}  // namespace uplift::read
