// SPDX-License-Identifier: Apache-2.0
// Unions of spans, and one look at each gap between them.
#include "uplift/predict/step_timeline.hpp"

#include "uplift/predict/launch_stretches.hpp"
#include "uplift/predict/time_spans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace uplift::predict {
namespace {

constexpr std::int64_t kEndOfTime = 1'000'000'000'000'000'000;  // ns; 31 years

bool is_collective(const StepEvent& event, const Workload& workload) {
  return event.kind == EventKind::kKernel &&
         workload.kernels[static_cast<std::size_t>(event.item)].kernel_class ==
             KernelClass::kCollective;
}

/// The device's work in the step, as sets of moments.
struct Activity {
  Spans compute, comm, copy;
  Spans blocking_calls;  ///< the host is in a blocking copy
  Spans sync_calls;
};

Activity collect(const Workload& workload) {
  Activity activity;
  for (const StepEvent& event : workload.step.events) {
    if (event.kind == EventKind::kSync) {
      if (has_call(event)) activity.sync_calls.push_back({event.host_start, event.host_end});
      continue;
    }
    if (!ran(event, workload)) continue;
    Spans& spans = event.kind == EventKind::kCopy   ? activity.copy
                   : is_collective(event, workload) ? activity.comm
                                                    : activity.compute;
    spans.push_back({event.device_start, event.device_end});
    if (blocks_host(event, workload)) {
      activity.blocking_calls.push_back({event.host_start, event.host_end});
    }
  }
  for (Spans* spans : {&activity.compute, &activity.comm, &activity.copy, &activity.blocking_calls,
                       &activity.sync_calls}) {
    *spans = merged(std::move(*spans));
  }
  return activity;
}

Spans both(const Spans& a, const Spans& b) {
  Spans all = a;
  all.insert(all.end(), b.begin(), b.end());
  return merged(std::move(all));
}

/// The step's wall-clock: it ends when both host and device have done, and the device may run
/// behind the host, finishing the step before while this one's host is at work already.
Span window_of(const Workload& workload) {
  const double length = std::round(workload.step.length.value() * 1e9);
  if (!(length > 0) || length >= static_cast<double>(kEndOfTime)) return {};
  const auto ns = static_cast<std::int64_t>(length);
  std::int64_t end = ns;
  for (const StepEvent& event : workload.step.events) {
    if (ran(event, workload)) end = std::max(end, event.device_end);
  }
  return {end - ns, end};
}

/// A start on the device with the call that asked for it; calls not recorded are kUnknownTime.
struct Start {
  std::int64_t device = 0;
  std::int64_t call = kUnknownTime;
};

/// Gives the moments of one gap to its causes.
class GapCauses {
 public:
  GapCauses(const Workload& workload, const Activity& activity) : activity_(activity) {
    for (const StepEvent& event : workload.step.events) {
      if (!ran(event, workload)) continue;
      starts_.push_back({event.device_start, has_call(event) ? event.host_start : kUnknownTime});
      if (has_call(event)) calls_.push_back(event.host_start);
    }
    std::sort(starts_.begin(), starts_.end(),
              [](const Start& a, const Start& b) { return a.device < b.device; });
    std::sort(calls_.begin(), calls_.end());
  }

  void split(const Span& gap, std::array<std::int64_t, kStepParts.size()>& parts) const {
    const std::int64_t launch = launch_from(gap);
    const std::int64_t sync = sync_until(gap, launch);
    add({gap.start, sync}, StepPart::kSync, parts);
    add({sync, launch}, StepPart::kHost, parts);
    add({launch, gap.end}, StepPart::kLaunch, parts);
  }

 private:
  /// When the work that ends the gap was asked for; the gap's end where nothing tells.
  [[nodiscard]] std::int64_t launch_from(const Span& gap) const {
    auto at = std::lower_bound(starts_.begin(), starts_.end(), gap.end,
                               [](const Start& s, std::int64_t time) { return s.device < time; });
    std::int64_t call = gap.end;
    for (; at != starts_.end() && at->device == gap.end; ++at) {
      if (at->call != kUnknownTime) call = std::min(call, at->call);
    }
    return std::clamp(call, gap.start, gap.end);
  }

  /// The end of what a synchronisation that covers the gap's begin is to blame for.
  [[nodiscard]] std::int64_t sync_until(const Span& gap, std::int64_t launch) const {
    const auto& calls = activity_.sync_calls;
    const auto after =
        std::upper_bound(calls.begin(), calls.end(), gap.start,
                         [](std::int64_t time, const Span& call) { return time < call.start; });
    if (after == calls.begin() || (after - 1)->end < gap.start) return gap.start;
    const auto next = std::lower_bound(calls_.begin(), calls_.end(), gap.start);
    return next == calls_.end() ? launch : std::min(launch, *next);
  }

  /// `idle` to `cause`, but for what a blocking copy's call takes of it.
  void add(const Span& idle, StepPart cause,
           std::array<std::int64_t, kStepParts.size()>& parts) const {
    if (idle.end <= idle.start) return;
    const std::int64_t copying = covered(idle, activity_.blocking_calls);
    parts[static_cast<std::size_t>(StepPart::kCopy)] += copying;
    parts[static_cast<std::size_t>(cause)] += idle.end - idle.start - copying;
  }

  const Activity& activity_;
  std::vector<Start> starts_;
  std::vector<std::int64_t> calls_;
};

void split_window(const Workload& workload, const Activity& activity, StepTimeline& timeline) {
  const Span window = window_of(workload);
  timeline.length = from_nanoseconds(window.end - window.start);
  const Spans whole = merged({window});
  const Spans kernels = both(activity.compute, activity.comm);
  const Spans all = both(kernels, activity.copy);
  const std::int64_t compute = total(intersection(activity.compute, whole));
  const std::int64_t any_kernel = total(intersection(kernels, whole));
  const std::int64_t busy = total(intersection(all, whole));
  std::array<std::int64_t, kStepParts.size()> parts{};
  parts[static_cast<std::size_t>(StepPart::kCompute)] = compute;
  parts[static_cast<std::size_t>(StepPart::kComm)] = any_kernel - compute;
  parts[static_cast<std::size_t>(StepPart::kCopy)] = busy - any_kernel;
  const GapCauses causes(workload, activity);
  for (const Span& gap : complement(all, window)) causes.split(gap, parts);
  for (std::size_t i = 0; i < parts.size(); ++i) timeline.parts[i] = from_nanoseconds(parts[i]);
}

std::int64_t count_graph_kernels(const Workload& workload) {
  std::map<std::int64_t, std::int64_t> by_call;
  for (const StepEvent& event : workload.step.events) {
    if (event.kind == EventKind::kKernel && ran(event, workload) && has_call(event)) {
      ++by_call[event.host_start];
    }
  }
  std::int64_t count = 0;
  for (const auto& [call, kernels] : by_call) count += kernels > 1 ? kernels : 0;
  return count;
}

/// Which copies the host waits for with its very next call.
std::vector<bool> find_awaited(const Workload& workload) {
  const std::vector<StepEvent>& events = workload.step.events;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (has_call(events[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return events[a].host_start < events[b].host_start;
  });
  std::vector<bool> awaited(events.size(), false);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const StepEvent& event = events[order[i]];
    const StepEvent& next = events[order[i + 1]];
    awaited[order[i]] = event.kind == EventKind::kCopy && next.kind == EventKind::kSync &&
                        next.host_end >= event.device_end;
  }
  return awaited;
}

/// The stream whose kernels take the most time; -1 without any.
std::int32_t busiest_stream(const Workload& workload) {
  std::map<std::int32_t, double> busy;
  for (const StepEvent& event : workload.step.events) {
    if (event.kind != EventKind::kKernel || !ran(event, workload)) continue;
    busy[event.stream] += static_cast<double>(event.device_end - event.device_start);
  }
  const auto most = std::max_element(
      busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == busy.end() ? -1 : most->first;
}

void describe_copies(const Workload& workload, const Activity& activity, StepTimeline& timeline) {
  const std::vector<StepEvent>& events = workload.step.events;
  const Spans kernels = both(activity.compute, activity.comm);
  const std::int32_t main_stream = busiest_stream(workload);
  const std::vector<bool> awaited = find_awaited(workload);
  std::map<std::size_t, CopyUse> uses;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const StepEvent& event = events[i];
    if (event.kind != EventKind::kCopy || !ran(event, workload)) continue;
    const Span span{event.device_start, event.device_end};
    CopyUse& use = uses[static_cast<std::size_t>(event.item)];
    use.item = static_cast<std::size_t>(event.item);
    ++use.count;
    use.bytes += Bytes(static_cast<double>(event.copy_bytes));
    use.total += from_nanoseconds(span.end - span.start);
    use.exposed += from_nanoseconds(span.end - span.start - covered(span, kernels));
    use.on_kernel_stream |= event.stream == main_stream;
    use.blocks_host |= blocks_host(event, workload);
    use.awaited |= awaited[i];
  }
  for (auto& [item, use] : uses) timeline.copies.push_back(use);
  std::stable_sort(timeline.copies.begin(), timeline.copies.end(),
                   [](const CopyUse& a, const CopyUse& b) { return a.exposed > b.exposed; });
}

}  // namespace

bool is_time(std::int64_t ns) { return ns > -kEndOfTime && ns < kEndOfTime; }

bool has_call(const StepEvent& event) {
  return is_time(event.host_start) && is_time(event.host_end) && event.host_end >= event.host_start;
}

bool ran(const StepEvent& event, const Workload& workload) {
  if (event.kind == EventKind::kSync || event.item < 0) return false;
  const std::size_t items =
      event.kind == EventKind::kKernel ? workload.kernels.size() : workload.copies.size();
  return static_cast<std::size_t>(event.item) < items && event.stream >= 0 &&
         is_time(event.device_start) && is_time(event.device_end) &&
         event.device_end >= event.device_start;
}

bool blocks_host(const StepEvent& event, const Workload& workload) {
  if (event.kind != EventKind::kCopy || !ran(event, workload) || !has_call(event)) return false;
  const DistinctCopy& copy = workload.copies[static_cast<std::size_t>(event.item)];
  if (copy.synchronous) return true;
  // A short copy on the device can end before its call returns without anyone waiting for it.
  const bool with_host =
      copy.kind == CopyKind::kHostToDevice || copy.kind == CopyKind::kDeviceToHost;
  // The call may return a little before the engine reports the end.
  constexpr std::int64_t kSlack = 20'000;
  const std::int64_t half = (event.device_end - event.device_start) / 2;
  return with_host && event.host_end >= event.device_end - std::min(kSlack, half);
}

std::int64_t launch_latency(const Step& step) {
  constexpr std::int64_t kMost = 20'000;
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (const StepEvent& event : step.events) {
    if (event.kind == EventKind::kSync || !is_time(event.host_start) ||
        !is_time(event.device_start)) {
      continue;
    }
    const std::int64_t way = event.device_start - event.host_start;
    if (way > 0) shortest = std::min(shortest, way);
  }
  return shortest == std::numeric_limits<std::int64_t>::max() ? 0 : std::min(shortest, kMost);
}

StepTimeline describe_timeline(const Workload& workload) {
  StepTimeline timeline;
  timeline.name = workload.step.name;
  const Activity activity = collect(workload);
  split_window(workload, activity, timeline);
  describe_copies(workload, activity, timeline);
  std::set<std::int32_t> streams;
  for (const StepEvent& event : workload.step.events) {
    if (event.kind == EventKind::kSync) ++timeline.synchronisations;
    if (!ran(event, workload)) continue;
    streams.insert(event.stream);
    if (event.kind != EventKind::kKernel) continue;
    ++timeline.kernels;
    if (!is_collective(event, workload)) continue;
    const Span span{event.device_start, event.device_end};
    timeline.collectives += from_nanoseconds(span.end - span.start);
    timeline.collectives_hidden += from_nanoseconds(covered(span, activity.compute));
  }
  timeline.streams = static_cast<int>(streams.size());
  timeline.graph_kernels = count_graph_kernels(workload);
  find_launch_stretches(workload, timeline);
  return timeline;
}

}  // namespace uplift::predict
