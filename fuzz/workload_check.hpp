// SPDX-License-Identifier: Apache-2.0
// What holds of every workload that a reader hands over, whatever bytes it was given: indices in
// range, numbers finite, counts that agree with each other.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/core/workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace uplift::fuzz {

inline void check(bool holds) {
  if (!holds) std::abort();
}

inline void check_line(const std::string& text) {
  check(!text.empty() && text.find('\n') == std::string::npos);
}

inline void check_items(const Workload& workload) {
  for (const DistinctKernel& kernel : workload.kernels) {
    check(kernel.launches >= 1 && kernel.launches <= workload.kernel_launches);
    check(std::isfinite(kernel.total.value()) && kernel.total.value() >= 0);
    check(kernel.launch.blocks() >= 0 && kernel.launch.threads_per_block() >= 0);
    check(std::isfinite(flops(kernel.shape).value()));
    check(std::isfinite(least_bytes(kernel.shape, 2).value()));
  }
  check(std::is_sorted(
      workload.kernels.begin(), workload.kernels.end(),
      [](const DistinctKernel& a, const DistinctKernel& b) { return a.total > b.total; }));
  for (const DistinctCopy& copy : workload.copies) {
    check(copy.count >= 1 && std::isfinite(copy.total.value()) && copy.total.value() >= 0);
    check(std::isfinite(copy.bytes.value()) && copy.bytes.value() >= 0);
  }
  for (std::size_t i = 0; i < workload.stacks.size(); ++i) {
    const StackFrame& frame = workload.stacks[i];
    check(frame.parent >= -1 && frame.parent < static_cast<std::int32_t>(i));
    check(frame.launches >= 0 && frame.total.value() >= 0);
  }
}

inline void check_step(const Workload& workload) {
  for (const StepEvent& event : workload.step.events) {
    const std::size_t items = event.kind == EventKind::kKernel ? workload.kernels.size()
                              : event.kind == EventKind::kCopy ? workload.copies.size()
                                                               : 0;
    check(event.kind == EventKind::kSync || static_cast<std::size_t>(event.item) < items);
    check(event.frame >= -1 && event.frame < static_cast<std::int64_t>(workload.stacks.size()));
    check(event.stream >= -1 && event.copy_bytes >= 0);
    check(event.host_start <= event.host_end && event.device_start <= event.device_end);
  }
  check(workload.step.host_tail >= 0);
}

inline void check_workload(const Workload& workload) {
  check(std::isfinite(workload.step_length.value()) && workload.step_length.value() > 0);
  check(std::isfinite(workload.busy.value()) && workload.busy.value() >= 0);
  check(workload.kernel_launches >= 1 && workload.steps >= 0 && workload.gpus_seen >= 1);
  check_items(workload);
  check_step(workload);
  for (const StepTime& time : workload.step_times) {
    check(std::isfinite(time.length.value()) && time.busy.value() >= 0);
  }
  if (!workload.device_activity.empty()) {
    std::int64_t kernels = 0;
    for (const DeviceActivity& activity : workload.device_activity) {
      check(activity.kernels >= 1 && activity.streams >= 1);
      check(activity.collective_time.value() <= activity.kernel_time.value());
      kernels += activity.kernels;
    }
    check(kernels == workload.kernel_launches);
  }
  for (const Warning& warning : workload.warnings) check_line(warning);
}

/// A workload that holds together, or one line of error.
inline void check_result(const Result<Workload>& workload) {
  if (workload) {
    check_workload(*workload);
  } else {
    check_line(workload.error().line());
  }
}

}  // namespace uplift::fuzz
