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

/// Plays a step, once or several times in a row.
class Player {
 public:
  Player(const Step& step, std::span<const EventCost> costs, double host_pace)
      : step_(step),
        costs_(costs),
        host_pace_(host_pace),
        streams_(stream_count(step)),
        latency_ns_(launch_latency(step)),
        longest_call_(3.0 * seconds(usual_call(step))),
        waits_(find_waits(step, latency_ns_, streams_)),
        stream_free_(streams_, 0.0),
        ended_(step.events.size(), 0.0) {}

  /// One step more. `on_activity(start, end, bound)` sees what the device does.
  template <class OnActivity>
  void play(OnActivity&& on_activity) {
    const double latency = seconds(latency_ns_);
    std::int64_t recorded_host = 0;  // where the host was in the recording, ns
    for (std::size_t i = 0; i < step_.events.size(); ++i) {
      const StepEvent& event = step_.events[i];
      const bool has_host = event.host_start != kUnknownTime;
      // All the kernels of a graph were launched by one call, which is paid once.
      const bool new_call = has_host && (i == 0 || !same_call(step_.events[i - 1], event));
      if (new_call) {
        const std::int64_t between = std::max<std::int64_t>(0, event.host_start - recorded_host);
        const double length = seconds(event.host_end - event.host_start);
        issued_ = host_ + host_pace_ * seconds(between);
        recorded_host = std::max(recorded_host, event.host_end);
        host_ = issued_ + host_pace_ * std::min(length, longest_call_);
      }
      if (event.kind == EventKind::kSync) {
        const double awaited =
            event.stream < 0 ? device_end_ : stream_free_[static_cast<std::size_t>(event.stream)];
        host_ = std::max(host_, awaited);
        continue;
      }
      const auto stream = static_cast<std::size_t>(event.stream);
      const double gap = seconds(waits_[i].device_gap);
      const double called = new_call ? issued_ + latency : device_end_ + gap;
      double start = std::max(stream_free_[stream], called);
      if (waits_[i].event >= 0) {
        start = std::max(start, ended_[static_cast<std::size_t>(waits_[i].event)]);
      }
      const double end = start + costs_[i].time.value();
      ended_[i] = stream_free_[stream] = end;
      device_end_ = std::max(device_end_, end);
      if (has_host && !new_call && start - gap >= 0) {
        on_activity(start - gap, start, Bound::kLaunch);
      }
      on_activity(start, end, costs_[i].bound);
      // A copy whose call returned only after the copy was done holds the host until then.
      const bool blocking = event.kind == EventKind::kCopy && event.host_end >= event.device_end;
      if (has_host && blocking) host_ = std::max(host_, end);
    }
    host_ += host_pace_ * seconds(step_.host_tail);
  }

  /// Until host and device are done with what was played.
  [[nodiscard]] double length() const { return std::max(host_, device_end_); }

 private:
  const Step& step_;
  std::span<const EventCost> costs_;
  double host_pace_;
  std::size_t streams_;
  std::int64_t latency_ns_;
  double longest_call_;
  std::vector<Wait> waits_;
  std::vector<double> stream_free_;
  std::vector<double> ended_;
  double host_ = 0;    // where the host is
  double issued_ = 0;  // when its latest call began
  double device_end_ = 0;
};

}  // namespace

Replay replay_step(const Step& step, std::span<const EventCost> costs, double host_pace) {
  Player player(step, costs, host_pace);
  std::vector<Activity> activities;
  activities.reserve(step.events.size());
  player.play([&](double start, double end, Bound bound) {
    activities.push_back({start, end, bound});
  });
  Replay replay;
  replay.length = Seconds(player.length());
  split_by_bound(activities, replay.length.value(), replay);
  return replay;
}

Seconds replay_next_step(const Step& step, std::span<const EventCost> costs, double host_pace) {
  Player player(step, costs, host_pace);
  const auto ignore = [](double, double, Bound) {};
  player.play(ignore);
  const double first = player.length();
  player.play(ignore);
  return Seconds(player.length() - first);
}

}  // namespace uplift::predict
