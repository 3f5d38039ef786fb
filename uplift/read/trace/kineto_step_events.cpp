// SPDX-License-Identifier: Apache-2.0
// Device records and synchronisations of one step, merged in host order.
#include "uplift/read/trace/kineto_step_events.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace uplift::read {
namespace {

/// The stream that a stream synchronisation waited for, told from what it did: the one whose work,
/// asked for before the call, ended last before the call returned. -1 if nothing tells.
std::int32_t awaited_stream(const std::vector<StepEvent>& events, std::int64_t call_start,
                            std::int64_t call_end) {
  constexpr std::int64_t kSlack = 20'000;  // ns from the end of the work to the return of the call
  std::int32_t stream = -1;
  std::int64_t best = INT64_MIN;
  for (const StepEvent& event : events) {
    if (event.kind == EventKind::kSync || event.host_start > call_start) continue;
    if (event.device_end <= call_end + kSlack && event.device_end > best) {
      best = event.device_end;
      stream = event.stream;
    }
  }
  return stream;
}

std::int64_t order_time(const StepEvent& event) {
  return event.host_start != kUnknownTime ? event.host_start : event.device_start;
}

}  // namespace

Step order_step(const KinetoRecords& records, const KinetoLinks& links,
                const StepTimeline& timeline, const StepItems& items) {
  const RecordedStep& recorded = timeline.steps[timeline.representative];
  const std::int64_t zero = recorded.host_start;
  Step step;
  step.name = records.strings.text(recorded.name);
  step.length = from_nanoseconds(recorded.length);

  std::map<std::int32_t, std::int32_t> streams;
  for (const std::int32_t i : recorded.records) {
    const DeviceRecord& record = records.device[static_cast<std::size_t>(i)];
    StepEvent event;
    event.kind = record.kind == DeviceKind::kKernel ? EventKind::kKernel : EventKind::kCopy;
    event.item = items[static_cast<std::size_t>(i)];
    event.stream =
        streams.try_emplace(record.stream, static_cast<std::int32_t>(streams.size())).first->second;
    event.copy_bytes = record.bytes;
    event.device_start = record.start - zero;
    event.device_end = record.end - zero;
    if (const std::int32_t call = links.call[static_cast<std::size_t>(i)]; call != kNone) {
      event.host_start = records.calls[static_cast<std::size_t>(call)].start - zero;
      event.host_end = records.calls[static_cast<std::size_t>(call)].end - zero;
    }
    step.events.push_back(event);
  }

  const std::vector<StepEvent> device_events = step.events;
  std::set<std::uint32_t> launching_threads;
  for (const std::int32_t i : recorded.records) {
    if (const std::int32_t call = links.call[static_cast<std::size_t>(i)]; call != kNone) {
      launching_threads.insert(records.calls[static_cast<std::size_t>(call)].thread);
    }
  }
  for (const CallRecord& call : records.calls) {
    if (call.kind != CallKind::kSync || call.start < recorded.host_start ||
        call.start > recorded.host_end || !launching_threads.contains(call.thread)) {
      continue;
    }
    StepEvent event;
    event.kind = EventKind::kSync;
    event.host_start = call.start - zero;
    event.host_end = call.end - zero;
    event.stream =
        call.whole_device ? -1 : awaited_stream(device_events, event.host_start, event.host_end);
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
