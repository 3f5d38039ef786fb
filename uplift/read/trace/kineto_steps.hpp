// SPDX-License-Identifier: Apache-2.0
// The steps of a recording: which are complete, how long each took, and which activity belongs to
// which. Without markers the whole span stands for one step.
#pragma once

#include "uplift/read/trace/kineto_links.hpp"
#include "uplift/read/trace/kineto_records.hpp"

#include <cstdint>
#include <vector>

namespace uplift::read {

struct RecordedStep {
  StringId name = 0;
  std::int64_t host_start = 0;
  std::int64_t host_end = 0;
  std::int64_t length = 0;                ///< ns of wall-clock time, host and device together
  std::int64_t busy = 0;                  ///< ns with at least one activity on the device
  std::vector<std::uint32_t> activities;  ///< into KinetoLinks::activities, by device start
};

struct StepTimeline {
  std::vector<RecordedStep> steps;  ///< the complete ones; or one for the whole span
  bool marked = false;              ///< the profiler marked them
  bool whole = true;                ///< nothing of them is known or feared to be missing
  std::int64_t incomplete = 0;      ///< marked steps that were left out
  std::int64_t median_length = 0;   ///< ns
  std::size_t representative = 0;   ///< the step whose length is nearest the median
};

/// The timeline of the linked device. `broken_off`: events are missing at the end of the file; then
/// only steps that are shown to be whole count, or, if there is none, all with nearly the usual
/// number of kernels, and `whole` is false.
[[nodiscard]] StepTimeline build_steps(const KinetoRecords& records, const KinetoLinks& links,
                                       bool broken_off);

}  // namespace uplift::read
