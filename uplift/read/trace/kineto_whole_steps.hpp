// SPDX-License-Identifier: Apache-2.0
// Which steps of a trace that breaks off are whole. Profilers write operators, calls and kernels in
// blocks, and threads one after another, so every step may lack the same part; only what was
// written behind a step shows that all of it is there.
#pragma once

#include "uplift/read/trace/kineto_links.hpp"
#include "uplift/read/trace/kineto_records.hpp"
#include "uplift/read/trace/kineto_steps.hpp"

#include <vector>

namespace uplift::read {

/// For each step, by start, whether it is shown to be whole: every thread that worked in it went on
/// to call CUDA after it, and nearly all its calls have their work on the device. Needs the logs of
/// `records`.
[[nodiscard]] std::vector<bool> shown_whole(const KinetoRecords& records, const KinetoLinks& links,
                                            const std::vector<RecordedStep>& steps);

}  // namespace uplift::read
