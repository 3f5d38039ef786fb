// SPDX-License-Identifier: Apache-2.0
// One pass over the kernels in device order.
#include "uplift/predict/launch_stretches.hpp"

#include "uplift/predict/step_timeline.hpp"

#include <algorithm>
#include <map>

namespace uplift::predict {
namespace {

/// How early a launch may arrive and its kernel still count as having waited for it (ns).
constexpr std::int64_t kSlack = 2'000;
/// Fewer kernels in a row are chance.
constexpr std::size_t kFewestKernels = 3;
constexpr std::size_t kMostListed = 5;
constexpr std::size_t kMostOps = 3;

/// A run of kernels, as indices into the events.
struct Run {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t idle = 0;
  std::vector<std::size_t> kernels;
};

std::vector<std::string> main_ops(const Run& run, const Workload& workload) {
  std::map<std::string, std::int64_t> counts;
  for (const std::size_t i : run.kernels) {
    const auto item = static_cast<std::size_t>(workload.step.events[i].item);
    if (!workload.kernels[item].op.empty()) ++counts[workload.kernels[item].op];
  }
  std::vector<std::pair<std::int64_t, std::string>> order;
  order.reserve(counts.size());
  for (const auto& [op, count] : counts) order.emplace_back(-count, op);
  std::sort(order.begin(), order.end());
  std::vector<std::string> ops;
  for (std::size_t i = 0; i < std::min(kMostOps, order.size()); ++i) ops.push_back(order[i].second);
  return ops;
}

}  // namespace

void find_launch_stretches(const Workload& workload, StepTimeline& timeline) {
  const std::vector<StepEvent>& events = workload.step.events;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (ran(events[i], workload)) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return events[a].device_start < events[b].device_start;
  });
  const std::int64_t latency = launch_latency(workload.step);
  std::vector<Run> runs;
  Run run;
  const auto close = [&] {
    if (run.kernels.size() >= kFewestKernels) runs.push_back(run);
    run = {};
  };
  std::int64_t device_free = 0;
  bool any_before = false;
  std::int64_t call_before = kUnknownTime;
  for (const std::size_t i : order) {
    const StepEvent& event = events[i];
    // A graph is launched once: its other kernels wait for each other.
    const bool same_call = event.host_start == call_before;
    const bool waited = event.host_start != kUnknownTime && !same_call && any_before &&
                        event.device_start > device_free &&
                        event.host_start > device_free - latency - kSlack;
    call_before = event.host_start;
    if (event.kind == EventKind::kKernel) {
      if (!waited) {
        close();
      } else {
        if (run.kernels.empty()) run.start = device_free;
        run.idle += event.device_start - device_free;
        run.end = event.device_end;
        run.kernels.push_back(i);
      }
    }
    device_free = any_before ? std::max(device_free, event.device_end) : event.device_end;
    any_before = true;
  }
  close();

  std::stable_sort(runs.begin(), runs.end(),
                   [](const Run& a, const Run& b) { return a.end - a.start > b.end - b.start; });
  for (const Run& found : runs) {
    const auto kernels = static_cast<std::int64_t>(found.kernels.size());
    const Seconds length = from_nanoseconds(found.end - found.start);
    ++timeline.stretches;
    timeline.stretch_kernels += kernels;
    timeline.stretch_length += length;
    timeline.stretch_idle += from_nanoseconds(found.idle);
    if (timeline.longest.size() < kMostListed) {
      timeline.longest.push_back({from_nanoseconds(found.start), length,
                                  from_nanoseconds(found.idle), kernels,
                                  main_ops(found, workload)});
    }
  }
}

}  // namespace uplift::predict
