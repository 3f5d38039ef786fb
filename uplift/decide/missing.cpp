// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/missing.hpp"

#include "uplift/decide/amounts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace uplift::decide {
namespace {

/// Share of the kernel time without a shape.
double shapeless_share(const Workload& workload) {
  double whole = 0;
  double without = 0;
  for (const DistinctKernel& kernel : workload.kernels) {
    whole += kernel.total.value();
    if (!is_known(kernel.shape)) without += kernel.total.value();
  }
  return whole > 0 ? without / whole : 0.0;
}

}  // namespace

std::vector<Missing> find_missing(const Workload& workload) {
  const RecordingFacts& recording = workload.recording;
  std::vector<Missing> missing;
  if (recording.cut_at) {
    missing.push_back({fmt::format("the file breaks off at byte {}", *recording.cut_at),
                       "let the profiler finish before the program ends, and copy the whole file"});
  }
  if (workload.steps == 0) {
    missing.push_back({"no steps are marked: the whole recording stands for one step",
                       "call prof.step() at the end of each iteration"});
  }
  const bool any_shape =
      std::any_of(workload.kernels.begin(), workload.kernels.end(),
                  [](const DistinctKernel& kernel) { return is_known(kernel.shape); });
  if (!recording.shapes && !any_shape && recording.shapes_asked.value_or(false)) {
    missing.push_back(
        {"no operator with shapes is in it, although they were asked for",
         "the kernels of a CUDA graph have none: record a run without the graph, too"});
  } else if (!recording.shapes && !any_shape) {
    missing.push_back({fmt::format("record_shapes was off: {} of the kernel time has no shape",
                                   share_text(shapeless_share(workload))),
                       "record with record_shapes=True"});
  }
  const bool any_module =
      std::any_of(workload.stacks.begin(), workload.stacks.end(),
                  [](const StackFrame& frame) { return frame.kind == FrameKind::kModule; });
  if (!recording.modules && !any_module) {
    missing.push_back({"Python modules are not in it: no times by module",
                       "record a short run with with_stack=True, which slows the host"});
  }
  if (!recording.memory && !workload.memory_reserved) {
    missing.push_back({"memory is not in it: whether the job fits another card is not known",
                       "record with profile_memory=True"});
  }
  if (recording.unlinked_kernels > 0) {
    missing.push_back(
        {fmt::format("the launch of {} is not in it: idle time before {} counts as the host's",
                     count_text(recording.unlinked_kernels, "kernel"),
                     recording.unlinked_kernels == 1 ? "it" : "them"),
         recording.unlinked_kernels < workload.kernel_launches
             ? "launched before the recording began, or lost: start recording one step earlier, "
               "with a warm-up step in the schedule"
             : "record with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]"});
  }
  return missing;
}

}  // namespace uplift::decide
