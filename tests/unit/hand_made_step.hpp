// SPDX-License-Identifier: Apache-2.0
// Steps written by hand for the tests of what reads them: times in microseconds.
#pragma once

#include "uplift/core/workload.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace uplift::hand_made {

/// Adds to a workload of one step; every call returns the event that it added.
class StepBuilder {
 public:
  StepBuilder() {
    workload.steps = 1;
    workload.framework = "PyTorch";
    workload.step.name = "ProfilerStep#1";
  }

  Workload workload;

  /// A call from `call` to `call + 5` that runs from `start` to `end`.
  StepEvent& kernel(std::int64_t call, std::int64_t start, std::int64_t end,
                    KernelClass kernel_class = KernelClass::kElementwise, std::int32_t stream = 0,
                    const std::string& op = "aten::add") {
    DistinctKernel kernel;
    kernel.name = "kernel_" + std::to_string(workload.kernels.size());
    kernel.op = op;
    kernel.kernel_class = kernel_class;
    kernel.launches = 1;
    kernel.total = from_nanoseconds((end - start) * 1000);
    kernel.launch.grid = {10'000, 1, 1};
    kernel.launch.block = {256, 1, 1};
    workload.kernels.push_back(std::move(kernel));
    ++workload.kernel_launches;
    return add(EventKind::kKernel, workload.kernels.size() - 1, stream, call, call + 5, start, end);
  }

  StepEvent& copy(CopyKind kind, bool pageable, std::int64_t call, std::int64_t call_end,
                  std::int64_t start, std::int64_t end, std::int64_t bytes = 1'000'000,
                  std::int32_t stream = 0) {
    DistinctCopy copy;
    copy.kind = kind;
    copy.pageable = pageable;
    copy.count = 1;
    copy.bytes = Bytes(static_cast<double>(bytes));
    copy.total = from_nanoseconds((end - start) * 1000);
    workload.copies.push_back(copy);
    StepEvent& event =
        add(EventKind::kCopy, workload.copies.size() - 1, stream, call, call_end, start, end);
    event.copy_bytes = bytes;
    return event;
  }

  StepEvent& sync(std::int64_t call, std::int64_t call_end) {
    StepEvent event;
    event.kind = EventKind::kSync;
    event.stream = -1;
    event.host_start = call * 1000;
    event.host_end = call_end * 1000;
    workload.step.events.push_back(event);
    return workload.step.events.back();
  }

  /// The finished workload of a step that takes `length`; the host works to its end.
  const Workload& of(std::int64_t length) {
    std::int64_t last_call = 0;
    for (const StepEvent& event : workload.step.events) {
      if (event.host_end != kUnknownTime) last_call = std::max(last_call, event.host_end);
    }
    workload.step.host_tail = std::max<std::int64_t>(0, length * 1000 - last_call);
    workload.step.length = workload.step_length = from_nanoseconds(length * 1000);
    workload.busy = workload.step_length * 0.5;
    return workload;
  }

 private:
  StepEvent& add(EventKind kind, std::size_t item, std::int32_t stream, std::int64_t call,
                 std::int64_t call_end, std::int64_t start, std::int64_t end) {
    StepEvent event;
    event.kind = kind;
    event.item = static_cast<std::int32_t>(item);
    event.stream = stream;
    event.host_start = call * 1000;
    event.host_end = call_end * 1000;
    event.device_start = start * 1000;
    event.device_end = end * 1000;
    workload.step.events.push_back(event);
    return workload.step.events.back();
  }
};

}  // namespace uplift::hand_made
