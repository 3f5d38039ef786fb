// SPDX-License-Identifier: Apache-2.0
// A small discrete simulation: one host, several streams, in the order of the recording.
#include "uplift/predict/step_replay.hpp"

#include "uplift/predict/step_timeline.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::predict {
namespace {

constexpr double kNsToSeconds = 1e-9;
/// Gaps shorter than this are scheduling noise, not a dependency (ns).
constexpr std::int64_t kNoticeableWait = 2'000;

double seconds(std::int64_t ns) { return static_cast<double>(ns) * kNsToSeconds; }

std::size_t stream_count(const Step& step) {
  std::int32_t most = 0;
  for (const StepEvent& event : step.events) most = std::max(most, event.stream);
  return static_cast<std::size_t>(most) + 1;
}

/// The usual length of a call that launches (ns): longer ones wait for room in the launch queue,
/// and on another card would wait for another time.
std::int64_t usual_call(const Step& step) {
  std::vector<std::int64_t> lengths;
  for (const StepEvent& event : step.events) {
    if (event.kind == EventKind::kKernel && event.host_start != kUnknownTime) {
      lengths.push_back(event.host_end - event.host_start);
    }
  }
  if (lengths.empty()) return 0;
  std::nth_element(lengths.begin(), lengths.begin() + static_cast<long>(lengths.size() / 2),
                   lengths.end());
  return lengths[lengths.size() / 2];
}

/// True for work that one call launched together: the kernels of a graph.
bool same_call(const StepEvent& first, const StepEvent& second) {
  return first.kind != EventKind::kSync && second.kind != EventKind::kSync &&
         first.host_start == second.host_start && first.host_end == second.host_end;
}

/// What the recording shows an event to have waited for beyond its launch and its own stream.
struct Wait {
  std::int32_t event = -1;  ///< another stream's event that ended just before; -1: none
  /// ns of idleness before it to keep: inside a graph, or where the host's side is not recorded.
  std::int64_t device_gap = 0;
};

std::vector<Wait> find_waits(const Step& step, std::int64_t latency, std::size_t streams) {
  std::vector<Wait> waits(step.events.size());
  std::vector<std::int32_t> last_on(streams, -1);
  std::int64_t device_end = 0;
  for (std::size_t i = 0; i < step.events.size(); ++i) {
    const StepEvent& event = step.events[i];
    if (event.kind == EventKind::kSync) continue;
    const auto stream = static_cast<std::size_t>(event.stream);
    const bool in_graph = i > 0 && same_call(step.events[i - 1], event);
    if (in_graph || event.host_start == kUnknownTime) {
      waits[i].device_gap = std::max<std::int64_t>(0, event.device_start - device_end);
    } else {
      std::int64_t ready = event.host_start + latency;
      if (last_on[stream] >= 0) {
        ready = std::max(ready, step.events[static_cast<std::size_t>(last_on[stream])].device_end);
      }
      if (event.device_start - ready > kNoticeableWait) {
        // Only the newest event of each other stream can be what was waited for.
        std::int64_t best = event.device_start - 5 * kNoticeableWait;
        for (std::size_t other = 0; other < streams; ++other) {
          const std::int32_t candidate = last_on[other];
          if (other == stream || candidate < 0) continue;
          const std::int64_t end = step.events[static_cast<std::size_t>(candidate)].device_end;
          if (end <= event.device_start && end > best) {
            best = end;
            waits[i].event = candidate;
          }
        }
      }
    }
    last_on[stream] = static_cast<std::int32_t>(i);
    device_end = std::max(device_end, event.device_end);
  }
  return waits;
}

struct Activity {
  double start = 0;
  double end = 0;
  Bound bound = Bound::kLaunch;
};

/// Lower goes first where activities overlap: arithmetic hides copies, copies hide nothing.
int rank(Bound bound) {
  switch (bound) {
    case Bound::kCompute:
    case Bound::kMemory:
    case Bound::kCache:
    case Bound::kLaunch:
      return 0;
    case Bound::kComm:
      return 1;
    case Bound::kCopy:
      return 2;
    case Bound::kHost:
      return 3;
  }
  return 3;
}

/// Gives each moment to one bound: kernels before communication before copies, idle to the host.
void split_by_bound(std::vector<Activity>& activities, double length, Replay& replay) {
  std::sort(activities.begin(), activities.end(), [](const Activity& a, const Activity& b) {
    return rank(a.bound) != rank(b.bound) ? rank(a.bound) < rank(b.bound) : a.start < b.start;
  });
  std::vector<Activity> covered;  // disjoint and sorted, of the ranks before
  double used = 0;
  for (std::size_t first = 0; first < activities.size();) {
    std::size_t last = first;
    while (last < activities.size() &&
           rank(activities[last].bound) == rank(activities[first].bound)) {
      ++last;
    }
    std::vector<Activity> added;
    std::size_t at = 0;
    double free_from = 0;
    for (std::size_t i = first; i < last; ++i) {
      double from = std::max(activities[i].start, free_from);
      const double to = activities[i].end;
      while (from < to) {
        while (at < covered.size() && covered[at].end <= from) ++at;
        if (at < covered.size() && covered[at].start <= from) {
          from = covered[at].end;
          continue;
        }
        const double until = at < covered.size() ? std::min(to, covered[at].start) : to;
        replay.by_bound[static_cast<std::size_t>(activities[i].bound)] += Seconds(until - from);
        used += until - from;
        added.push_back({from, until, activities[i].bound});
        from = until;
      }
      free_from = std::max(free_from, to);
    }
    std::vector<Activity> merged(covered.size() + added.size());
    std::merge(covered.begin(), covered.end(), added.begin(), added.end(), merged.begin(),
               [](const Activity& a, const Activity& b) { return a.start < b.start; });
    covered = std::move(merged);
    first = last;
  }
  replay.by_bound[static_cast<std::size_t>(Bound::kHost)] = Seconds(std::max(0.0, length - used));
}

}  // namespace

Replay replay_step(const Step& step, std::span<const EventCost> costs, double host_pace) {
  const std::size_t streams = stream_count(step);
  const std::int64_t latency_ns = launch_latency(step);
  const double latency = seconds(latency_ns);
  const double longest_call = 3.0 * seconds(usual_call(step));
  const std::vector<Wait> waits = find_waits(step, latency_ns, streams);

  double host = 0;                 // where the host is
  double issued = 0;               // when its latest call began
  std::int64_t recorded_host = 0;  // where the host was in the recording, ns
  double device_end = 0;
  std::vector<double> stream_free(streams, 0.0);
  std::vector<double> ended(step.events.size(), 0.0);
  std::vector<Activity> activities;
  activities.reserve(step.events.size());

  for (std::size_t i = 0; i < step.events.size(); ++i) {
    const StepEvent& event = step.events[i];
    const bool has_host = event.host_start != kUnknownTime;
    // All the kernels of a graph were launched by one call, which is paid once.
    const bool new_call = has_host && (i == 0 || !same_call(step.events[i - 1], event));
    if (new_call) {
      const std::int64_t between = std::max<std::int64_t>(0, event.host_start - recorded_host);
      issued = host + host_pace * seconds(between);
      recorded_host = std::max(recorded_host, event.host_end);
      host =
          issued + host_pace * std::min(seconds(event.host_end - event.host_start), longest_call);
    }
    if (event.kind == EventKind::kSync) {
      const double awaited =
          event.stream < 0 ? device_end : stream_free[static_cast<std::size_t>(event.stream)];
      host = std::max(host, awaited);
      continue;
    }
    const auto stream = static_cast<std::size_t>(event.stream);
    const double gap = seconds(waits[i].device_gap);
    const double called = new_call ? issued + latency : device_end + gap;
    double start = std::max(stream_free[stream], called);
    if (waits[i].event >= 0) {
      start = std::max(start, ended[static_cast<std::size_t>(waits[i].event)]);
    }
    const double end = start + costs[i].time.value();
    ended[i] = stream_free[stream] = end;
    device_end = std::max(device_end, end);
    if (has_host && !new_call && start - gap >= 0) {
      activities.push_back({start - gap, start, Bound::kLaunch});
    }
    activities.push_back({start, end, costs[i].bound});
    // A copy whose call returned only after the copy was done holds the host until then.
    const bool blocking = event.kind == EventKind::kCopy && event.host_end >= event.device_end;
    if (has_host && blocking) host = std::max(host, end);
  }
  host += host_pace * seconds(step.host_tail);
  Replay replay;
  replay.length = Seconds(std::max(host, device_end));
  split_by_bound(activities, replay.length.value(), replay);
  return replay;
}

}  // namespace uplift::predict
