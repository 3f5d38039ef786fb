// SPDX-License-Identifier: Apache-2.0
// Steps by their host markers. A kernel belongs to the step in which it was launched, wherever it
// ran.
#include "uplift/read/trace/kineto_steps.hpp"

#include <algorithm>
#include <cstdlib>

namespace uplift::read {
namespace {

std::vector<RecordedStep> marked_steps(const KinetoRecords& records) {
  std::vector<RecordedStep> steps;
  for (const StepMarker& marker : records.steps) {
    RecordedStep step;
    step.name = marker.name;
    step.host_start = marker.start;
    step.host_end = marker.end;
    steps.push_back(std::move(step));
  }
  std::sort(steps.begin(), steps.end(), [](const RecordedStep& a, const RecordedStep& b) {
    return a.host_start != b.host_start ? a.host_start < b.host_start : a.host_end > b.host_end;
  });
  // Several processes or threads mark the same step: the first one stands for it.
  std::vector<RecordedStep> distinct;
  for (RecordedStep& step : steps) {
    if (!distinct.empty() && step.host_start < distinct.back().host_end) continue;
    distinct.push_back(std::move(step));
  }
  return distinct;
}

/// When the host asked for the activity; its device start where that is not recorded.
std::int64_t asked_at(const KinetoRecords& records, const KinetoLinks& links, std::size_t i) {
  return links.call[i] == kNone ? records.device[i].start
                                : records.calls[static_cast<std::size_t>(links.call[i])].start;
}

std::int64_t kernels_in(const KinetoRecords& records, const RecordedStep& step) {
  return std::count_if(step.records.begin(), step.records.end(), [&](std::int32_t i) {
    return records.device[static_cast<std::size_t>(i)].kind == DeviceKind::kKernel;
  });
}

template <class Key>
auto median_of(std::vector<Key> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : values[middle - 1] + (values[middle] - values[middle - 1]) / 2;
}

/// A marked step whose kernels are not all in the recording (the profiler stopped or started inside
/// it) has far fewer of them than the others.
void drop_incomplete(const KinetoRecords& records, StepTimeline& timeline) {
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> with_kernels;
  for (const RecordedStep& step : timeline.steps) {
    counts.push_back(kernels_in(records, step));
    if (counts.back() > 0) with_kernels.push_back(counts.back());
  }
  std::sort(with_kernels.begin(), with_kernels.end());
  const std::int64_t usual = with_kernels.empty() ? 0 : with_kernels[with_kernels.size() / 2];
  std::vector<RecordedStep> kept;
  for (std::size_t i = 0; i < timeline.steps.size(); ++i) {
    if (counts[i] == 0 || 2 * counts[i] < usual) {
      ++timeline.incomplete;
    } else {
      kept.push_back(std::move(timeline.steps[i]));
    }
  }
  timeline.steps = std::move(kept);
}

/// Gives each step the device records that were asked for inside it.
void assign_records(const KinetoRecords& records, const KinetoLinks& links, std::int32_t device,
                    std::vector<RecordedStep>& steps) {
  for (std::size_t i = 0; i < records.device.size(); ++i) {
    if (records.device[i].device != device) continue;
    const std::int64_t time = asked_at(records, links, i);
    auto step = std::upper_bound(
        steps.begin(), steps.end(), time,
        [](std::int64_t value, const RecordedStep& s) { return value < s.host_start; });
    if (step == steps.begin()) continue;
    --step;
    if (time <= step->host_end) step->records.push_back(static_cast<std::int32_t>(i));
  }
}

/// Sorts the activity of a step and measures how long the device was busy and when it ended.
std::int64_t measure_busy(const KinetoRecords& records, RecordedStep& step) {
  std::sort(step.records.begin(), step.records.end(), [&](std::int32_t a, std::int32_t b) {
    const auto& first = records.device[static_cast<std::size_t>(a)];
    const auto& second = records.device[static_cast<std::size_t>(b)];
    return first.start != second.start ? first.start < second.start : a < b;
  });
  std::int64_t covered_to = INT64_MIN;
  for (const std::int32_t i : step.records) {
    const DeviceRecord& record = records.device[static_cast<std::size_t>(i)];
    step.busy += std::max<std::int64_t>(0, record.end - std::max(record.start, covered_to));
    covered_to = std::max(covered_to, record.end);
  }
  return covered_to;
}

}  // namespace

StepTimeline build_steps(const KinetoRecords& records, const KinetoLinks& links,
                         std::int32_t device) {
  StepTimeline timeline;
  timeline.steps = marked_steps(records);
  timeline.marked = !timeline.steps.empty();
  if (timeline.marked) {
    assign_records(records, links, device, timeline.steps);
    drop_incomplete(records, timeline);
  }
  if (timeline.steps.empty()) {
    timeline.marked = false;
    RecordedStep span;
    span.host_start = records.first_time;
    span.host_end = records.last_time;
    timeline.steps.push_back(std::move(span));
    assign_records(records, links, device, timeline.steps);
  }

  std::vector<std::int64_t> lengths;
  std::int64_t device_free = INT64_MIN;  // when the device finished the step before
  for (RecordedStep& step : timeline.steps) {
    const std::int64_t device_end = measure_busy(records, step);
    // The device may run behind the host: then the step lasts as long as the device needs for it.
    const std::int64_t on_device = device_end - std::max(step.host_start, device_free);
    step.length = std::max(step.host_end - step.host_start, on_device);
    device_free = device_end;
    lengths.push_back(step.length);
  }
  timeline.median_length = median_of(lengths);
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    const std::int64_t here = std::abs(lengths[i] - timeline.median_length);
    const std::int64_t best = std::abs(lengths[timeline.representative] - timeline.median_length);
    if (here < best) timeline.representative = i;
  }
  return timeline;
}

}  // namespace uplift::read
