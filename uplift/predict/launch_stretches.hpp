// SPDX-License-Identifier: Apache-2.0
// Runs of kernels that waited for nothing but their launch: there the device goes at the host's
// pace. docs/method.md, section 7.1.
#pragma once

#include "uplift/core/step_timeline.hpp"
#include "uplift/core/workload.hpp"

namespace uplift::predict {

/// Fills the `stretch` fields and `longest` of `timeline`.
void find_launch_stretches(const Workload& workload, StepTimeline& timeline);

}  // namespace uplift::predict
