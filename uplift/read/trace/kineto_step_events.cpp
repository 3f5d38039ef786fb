// SPDX-License-Identifier: Apache-2.0
// Device records and synchronisations of one step, merged in host order.
#include "uplift/read/trace/kineto_step_events.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace uplift::read {
namespace {

/// Tells the stream that a stream synchronisation waited for from what it did: the one whose work,
/// asked for before the call, ended last before the call returned. Calls are asked about in order
/// of their start, so that all of them together cost one sweep over the step.
class AwaitedStreams {
 public:
  explicit AwaitedStreams(std::vector<StepEvent> events) : events_(std::move(events)) {
    std::stable_sort(events_.begin(), events_.end(), [](const StepEvent& a, const StepEvent& b) {
      return a.host_start < b.host_start;
    });
  }

  /// -1 if nothing tells.
  [[nodiscard]] std::int32_t find(std::int64_t call_start, std::int64_t call_end) {
    constexpr std::int64_t kSlack = 20'000;  // ns from the end of the work to the call's return
    for (; next_ < events_.size() && events_[next_].host_start <= call_start; ++next_) {
      stream_by_end_.try_emplace(events_[next_].device_end, events_[next_].stream);
    }
    const auto after = stream_by_end_.upper_bound(call_end + kSlack);
    return after == stream_by_end_.begin() ? -1 : std::prev(after)->second;
  }

 private:
  std::vector<StepEvent> events_;
  std::size_t next_ = 0;
  std::map<std::int64_t, std::int32_t> stream_by_end_;
};

std::int64_t order_time(const StepEvent& event) {
  return event.host_start != kUnknownTime ? event.host_start : event.device_start;
}

}  // namespace

Step order_step(const KinetoRecords& records, const KinetoLinks& links,
                const StepTimeline& timeline, const StepItems& items) {
  const RecordedStep& recorded = timeline.steps[timeline.representative];
  const std::int64_t zero = recorded.host_start;
  Step step;
  step.name = records.text(recorded.name);
  step.length = from_nanoseconds(recorded.length);

  std::map<std::int32_t, std::int32_t> streams;
  std::set<std::uint32_t> launching_threads;
  for (const std::uint32_t i : recorded.activities) {
    const Activity& activity = links.activities[i];
    StepEvent event;
    event.kind = records.work[activity.work].kind == DeviceKind::kKernel ? EventKind::kKernel
                                                                         : EventKind::kCopy;
    event.item = items[i];
    event.stream = streams.try_emplace(activity.stream, static_cast<std::int32_t>(streams.size()))
                       .first->second;
    event.frame = links.sites[activity.site].frame;
    event.copy_bytes = activity.bytes;
    event.device_start = activity.start - zero;
    event.device_end = activity.end - zero;
    if (activity.host_start != kUnknownTime) {
      event.host_start = activity.host_start - zero;
      event.host_end = activity.host_end - zero;
      launching_threads.insert(activity.thread);
    }
    step.events.push_back(event);
  }

  std::vector<const WaitCall*> waits;
  for (const WaitCall& wait : links.waits) {
    if (wait.start >= recorded.host_start && wait.start <= recorded.host_end &&
        launching_threads.contains(wait.thread)) {
      waits.push_back(&wait);
    }
  }
  std::stable_sort(waits.begin(), waits.end(),
                   [](const WaitCall* a, const WaitCall* b) { return a->start < b->start; });
  AwaitedStreams awaited(step.events);
  for (const WaitCall* wait : waits) {
    StepEvent event;
    event.kind = EventKind::kSync;
    event.host_start = wait->start - zero;
    event.host_end = wait->end - zero;
    event.frame = wait->frame;
    event.stream = wait->whole_device ? -1 : awaited.find(event.host_start, event.host_end);
    step.events.push_back(event);
  }
  std::stable_sort(
      step.events.begin(), step.events.end(),
      [](const StepEvent& a, const StepEvent& b) { return order_time(a) < order_time(b); });

  std::int64_t last_call = 0;
  for (const StepEvent& event : step.events) last_call = std::max(last_call, event.host_end);
  step.host_tail = std::max<std::int64_t>(0, recorded.host_end - zero - last_call);
  return step;
}

}  // namespace uplift::read
