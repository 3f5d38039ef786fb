// SPDX-License-Identifier: Apache-2.0
// Steps by their host markers. A kernel belongs to the step in which it was launched, wherever it
// ran.
#include "uplift/read/trace/kineto_steps.hpp"

#include "uplift/read/trace/kineto_whole_steps.hpp"

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
std::int64_t asked_at(const Activity& activity) {
  return activity.host_start == kUnknownTime ? activity.start : activity.host_start;
}

std::int64_t kernels_in(const KinetoRecords& records, const KinetoLinks& links,
                        const RecordedStep& step) {
  return std::count_if(step.activities.begin(), step.activities.end(), [&](std::uint32_t i) {
    return records.work[links.activities[i].work].kind == DeviceKind::kKernel;
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
/// it, or the file breaks off) has fewer of them than the others.
void drop_incomplete(const KinetoRecords& records, const KinetoLinks& links, bool broken_off,
                     StepTimeline& timeline) {
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> with_kernels;
  for (const RecordedStep& step : timeline.steps) {
    counts.push_back(kernels_in(records, links, step));
    if (counts.back() > 0) with_kernels.push_back(counts.back());
  }
  std::sort(with_kernels.begin(), with_kernels.end());
  const std::int64_t usual = with_kernels.empty() ? 0 : with_kernels[with_kernels.size() / 2];
  // Steps differ where a program branches, so half is enough; a cut leaves no doubt about less.
  const double least = static_cast<double>(usual) * (broken_off ? 0.95 : 0.5);
  // Without one step that is shown to be whole, those with as many kernels as others are kept.
  std::vector<bool> whole(timeline.steps.size(), true);
  if (broken_off) {
    whole = shown_whole(records, links, timeline.steps);
    timeline.whole = std::find(whole.begin(), whole.end(), true) != whole.end();
    if (!timeline.whole) whole.assign(timeline.steps.size(), true);
  }
  std::vector<RecordedStep> kept;
  for (std::size_t i = 0; i < timeline.steps.size(); ++i) {
    if (counts[i] == 0 || static_cast<double>(counts[i]) < least || !whole[i]) {
      ++timeline.incomplete;
    } else {
      kept.push_back(std::move(timeline.steps[i]));
    }
  }
  timeline.steps = std::move(kept);
}

/// Gives each step the activities that were asked for inside it.
void assign_activities(const KinetoLinks& links, std::vector<RecordedStep>& steps) {
  const auto inside = [](const RecordedStep& step, std::int64_t time) {
    return step.host_start <= time && time <= step.host_end;
  };
  auto last = steps.begin();
  for (std::size_t i = 0; i < links.activities.size(); ++i) {
    const std::int64_t time = asked_at(links.activities[i]);
    // Mostly the step of the activity before; steps may touch, so the later one is looked for.
    const bool again = inside(*last, time) && time < last->host_end;
    auto step = again ? std::next(last)
                      : std::upper_bound(steps.begin(), steps.end(), time,
                                         [](std::int64_t value, const RecordedStep& s) {
                                           return value < s.host_start;
                                         });
    if (step == steps.begin()) continue;
    --step;
    if (time > step->host_end) continue;
    step->activities.push_back(static_cast<std::uint32_t>(i));
    last = step;
  }
}

/// Sorts the activity of a step and measures how long the device was busy and when it ended.
/// What the device does before `free_from` belongs to the step before.
std::int64_t measure_busy(const KinetoLinks& links, std::int64_t free_from, RecordedStep& step) {
  std::sort(step.activities.begin(), step.activities.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Activity& first = links.activities[a];
    const Activity& second = links.activities[b];
    return first.start != second.start ? first.start < second.start : a < b;
  });
  std::int64_t covered_to = free_from;
  std::int64_t last_end = INT64_MIN;
  for (const std::uint32_t i : step.activities) {
    const Activity& activity = links.activities[i];
    last_end = std::max(last_end, activity.end);
    step.busy += std::max<std::int64_t>(0, activity.end - std::max(activity.start, covered_to));
    covered_to = std::max(covered_to, activity.end);
  }
  return last_end;
}

}  // namespace

StepTimeline build_steps(const KinetoRecords& records, const KinetoLinks& links, bool broken_off) {
  StepTimeline timeline;
  timeline.steps = marked_steps(records);
  timeline.marked = !timeline.steps.empty();
  if (timeline.marked) {
    assign_activities(links, timeline.steps);
    drop_incomplete(records, links, broken_off, timeline);
  }
  if (timeline.steps.empty()) {
    timeline.marked = false;
    timeline.whole = !broken_off;
    RecordedStep span;
    span.host_start = records.first_time;
    span.host_end = records.last_time;
    timeline.steps.push_back(std::move(span));
    assign_activities(links, timeline.steps);
  }

  std::vector<std::int64_t> lengths;
  std::int64_t device_free = INT64_MIN;  // when the device finished the step before
  for (RecordedStep& step : timeline.steps) {
    const std::int64_t device_end = measure_busy(links, device_free, step);
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
