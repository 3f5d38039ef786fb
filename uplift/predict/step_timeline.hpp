// SPDX-License-Identifier: Apache-2.0
// The timeline of the representative step: what each moment was spent on, which copies were
// exposed, and where the device ran only as fast as the host launched. docs/method.md, section 7.1.
#pragma once

#include "uplift/core/step_timeline.hpp"
#include "uplift/core/workload.hpp"

#include <cstdint>

namespace uplift::predict {

/// Any times are safe: events without a time or of no length take no part.
[[nodiscard]] StepTimeline describe_timeline(const Workload& workload);

/// True for a copy between host and device whose call held the host until it was done.
[[nodiscard]] bool blocks_host(const StepEvent& event, const Workload& workload);

/// Beyond 31 years no time is real; sums and differences of a few within it fit in 64 bits (ns).
[[nodiscard]] bool is_time(std::int64_t ns);

/// True for an event whose call on the host is recorded.
[[nodiscard]] bool has_call(const StepEvent& event);

/// True for an event that ran on the device, with an item that exists.
[[nodiscard]] bool ran(const StepEvent& event, const Workload& workload);

/// The shortest way from a call to the start of its work, at most 20 us (ns).
[[nodiscard]] std::int64_t launch_latency(const Step& step);

}  // namespace uplift::predict
