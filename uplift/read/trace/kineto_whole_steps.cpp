// SPDX-License-Identifier: Apache-2.0
// Counts frames and calls per thread and step, and how far each thread's calls go.
#include "uplift/read/trace/kineto_whole_steps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

namespace uplift::read {
namespace {

/// A thread without any call may be one that computes on the host; with more of the operators than
/// this it is taken as one whose calls are cut off.
constexpr double kMostOnTheHost = 0.1;
/// Calls whose work is on the device: some copy within the host, and some fail.
constexpr double kLeastMatched = 0.9;

constexpr std::size_t kNoStep = SIZE_MAX;

std::size_t step_at(const std::vector<RecordedStep>& steps, std::int64_t time) {
  const auto after = std::upper_bound(
      steps.begin(), steps.end(), time,
      [](std::int64_t value, const RecordedStep& step) { return value < step.host_start; });
  if (after == steps.begin() || time > std::prev(after)->host_end) return kNoStep;
  return static_cast<std::size_t>(after - steps.begin()) - 1;
}

/// What one thread did in each step.
struct ThreadCounts {
  std::vector<std::int64_t> frames;
  std::vector<std::int64_t> calls;  ///< those that launch
  std::int64_t last_call = INT64_MIN;
};

ThreadCounts count_thread(const HostThread& thread, const std::vector<RecordedStep>& steps) {
  ThreadCounts counts;
  counts.frames.assign(steps.size(), 0);
  counts.calls.assign(steps.size(), 0);
  auto frames = thread.frames.read();
  while (const auto frame = frames.next()) {
    const std::size_t step = step_at(steps, frame->start);
    if (step != kNoStep) ++counts.frames[step];
  }
  auto calls = thread.calls.read();
  while (const auto call = calls.next()) {
    counts.last_call = std::max(counts.last_call, call->start);
    const std::size_t step = step_at(steps, call->start);
    const bool launches = call->traits.kind != CallKind::kSync && call->correlation != kNoId;
    if (step != kNoStep && launches) ++counts.calls[step];
  }
  return counts;
}

/// Calls of the step whose work was seen; the kernels of a graph have one.
std::int64_t matched_calls(const KinetoLinks& links, const RecordedStep& step) {
  std::set<std::pair<std::uint32_t, std::int64_t>> calls;
  for (const std::uint32_t i : step.activities) {
    const Activity& activity = links.activities[i];
    if (activity.host_start != kUnknownTime) calls.emplace(activity.thread, activity.host_start);
  }
  return static_cast<std::int64_t>(calls.size());
}

bool is_whole(const std::vector<ThreadCounts>& threads, const KinetoLinks& links,
              const RecordedStep& step, std::size_t number, bool one_device) {
  double frames = 0;
  double calls = 0;
  for (const ThreadCounts& thread : threads) {
    frames += static_cast<double>(thread.frames[number]);
    calls += static_cast<double>(thread.calls[number]);
  }
  bool any_beyond = false;
  for (const ThreadCounts& thread : threads) {
    const auto own = static_cast<double>(thread.frames[number] + thread.calls[number]);
    const bool beyond = thread.last_call > step.host_end;
    any_beyond |= beyond;
    if (own <= 0 || beyond) continue;
    const bool without_calls = thread.last_call == INT64_MIN;
    if (!without_calls || own > kMostOnTheHost * frames) return false;
  }
  const auto matched = static_cast<double>(matched_calls(links, step));
  return any_beyond && (!one_device || matched >= kLeastMatched * calls);
}

}  // namespace

std::vector<bool> shown_whole(const KinetoRecords& records, const KinetoLinks& links,
                              const std::vector<RecordedStep>& steps) {
  std::vector<ThreadCounts> threads;
  for (const HostThread& thread : records.threads) threads.push_back(count_thread(thread, steps));
  std::set<std::int32_t> devices;
  for (const DeviceStream& stream : records.streams) devices.insert(stream.device);
  std::vector<bool> whole;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    whole.push_back(is_whole(threads, links, steps[i], i, devices.size() == 1));
  }
  return whole;
}

}  // namespace uplift::read
