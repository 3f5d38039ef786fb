// SPDX-License-Identifier: Apache-2.0
// Laws of the replay: nothing runs faster than its parts, and nothing is lost or counted twice.
#include "tests/property/random_workload.hpp"
#include "uplift/predict/step_replay.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace uplift::property {
namespace {

using predict::EventCost;
using predict::replay_step;

constexpr double kTiny = 1e-9;

std::vector<EventCost> recorded(const Step& step) {
  std::vector<EventCost> costs(step.events.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (step.events[i].kind == EventKind::kSync) continue;
    costs[i].time = from_nanoseconds(step.events[i].device_end - step.events[i].device_start);
    costs[i].bound = *rc::gen::elementOf(kBounds);
    if (costs[i].bound == Bound::kHost) costs[i].bound = Bound::kMemory;
  }
  return costs;
}

std::vector<EventCost> scaled(std::vector<EventCost> costs, double by) {
  for (EventCost& cost : costs) cost.time = cost.time * by;
  return costs;
}

/// What the host does between its calls and after the last: no card changes it.
double host_seconds(const Step& step) {
  std::int64_t total = step.host_tail;
  std::int64_t at = 0;
  for (const StepEvent& event : step.events) {
    if (event.host_start == kUnknownTime) continue;
    total += std::max<std::int64_t>(0, event.host_start - at);
    at = std::max(at, event.host_end);
  }
  return static_cast<double>(total) * 1e-9;
}

RC_GTEST_PROP(Replay, NeverShorterThanAStreamOrTheHost, ()) {
  const Step step = draw_workload().step;
  for (const double by : {0.0, 0.1, 1.0, 10.0}) {
    const auto costs = scaled(recorded(step), by);
    std::map<std::int32_t, double> streams;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (step.events[i].kind != EventKind::kSync) {
        streams[step.events[i].stream] += costs[i].time.value();
      }
    }
    const double length = replay_step(step, costs).length.value();
    for (const auto& [stream, seconds] : streams) RC_ASSERT(length >= seconds * (1 - kTiny));
    RC_ASSERT(length >= host_seconds(step) * (1 - kTiny));
  }
}

RC_GTEST_PROP(Replay, BoundsSumToTheLength, ()) {
  const Step step = draw_workload().step;
  const auto replay = replay_step(step, recorded(step));
  double total = 0;
  for (const Seconds part : replay.by_bound) {
    RC_ASSERT(part.value() >= 0);
    total += part.value();
  }
  RC_ASSERT(std::abs(total / replay.length.value() - 1) < 1e-6);
}

RC_GTEST_PROP(Replay, SlowerWorkIsNeverAShorterStep, ()) {
  const Step step = draw_workload().step;
  auto costs = recorded(step);
  const double before = replay_step(step, costs).length.value();
  for (EventCost& cost : costs) cost.time = cost.time * draw_factor();
  RC_ASSERT(replay_step(step, costs).length.value() >= before * (1 - kTiny));
}

// Not even k times the step: the host does not slow down with the card.
RC_GTEST_PROP(Replay, ScalingDeviceTimesScalesTheStepByNoMore, ()) {
  const Step step = draw_workload().step;
  const auto costs = recorded(step);
  const double by = draw_factor();
  const double before = replay_step(step, costs).length.value();
  RC_ASSERT(replay_step(step, scaled(costs, by)).length.value() <= before * by * (1 + kTiny));
}

TEST(Replay, OneStreamOnAnIdleHostRunsBackToBack) {
  // Calls at 0 and 5 us, each 5 us long; work starts 10 us after its call; 100 us and 50 us.
  Step step;
  step.events = {{EventKind::kKernel, 0, 0, 0, 0, 5'000, 10'000, 110'000},
                 {EventKind::kKernel, 0, 0, 0, 5'000, 10'000, 110'000, 160'000}};
  const std::vector<EventCost> costs = {{Seconds(100e-6), Bound::kCompute},
                                        {Seconds(50e-6), Bound::kMemory}};
  const auto replay = replay_step(step, costs);
  EXPECT_NEAR(160e-6, replay.length.value(), 1e-12);
  EXPECT_NEAR(100e-6, replay.by_bound[static_cast<std::size_t>(Bound::kCompute)].value(), 1e-12);
  EXPECT_NEAR(50e-6, replay.by_bound[static_cast<std::size_t>(Bound::kMemory)].value(), 1e-12);
  EXPECT_NEAR(10e-6, replay.by_bound[static_cast<std::size_t>(Bound::kHost)].value(), 1e-12);
}

TEST(Replay, AFasterCardUncoversTheHost) {
  // As above, with a host that works on for 200 us: no kernel time at all leaves 210 us.
  Step step;
  step.events = {{EventKind::kKernel, 0, 0, 0, 0, 5'000, 10'000, 110'000},
                 {EventKind::kKernel, 0, 0, 0, 5'000, 10'000, 110'000, 160'000}};
  step.host_tail = 200'000;
  const std::vector<EventCost> costs(2);
  EXPECT_NEAR(210e-6, replay_step(step, costs).length.value(), 1e-12);
}

TEST(Replay, ADeviceSynchronisationWaitsForAllStreams) {
  // 100 us on stream 0 and 50 us on stream 1; the host waits, then works 40 us.
  Step step;
  step.events = {{EventKind::kKernel, 0, 0, 0, 0, 5'000, 10'000, 110'000},
                 {EventKind::kKernel, 0, 1, 0, 5'000, 10'000, 15'000, 65'000},
                 {EventKind::kSync, -1, -1, 0, 10'000, 110'000, kUnknownTime, kUnknownTime}};
  step.host_tail = 40'000;
  std::vector<EventCost> costs = {
      {Seconds(100e-6), Bound::kCompute}, {Seconds(50e-6), Bound::kCompute}, {}};
  EXPECT_NEAR(150e-6, replay_step(step, costs).length.value(), 1e-12);
  costs[0].time = Seconds(10e-6);  // now stream 1 is the last: 15 + 50 + 40
  EXPECT_NEAR(105e-6, replay_step(step, costs).length.value(), 1e-12);
}

}  // namespace
}  // namespace uplift::property
