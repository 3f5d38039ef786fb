// SPDX-License-Identifier: Apache-2.0
// Small steps replayed by hand: one host, one or two streams, times in microseconds.
#include "uplift/predict/step_replay.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace uplift::predict {
namespace {

/// A launch at `call` taking 5 us on the host, running from `start` to `end` on `stream`.
StepEvent launch(std::int64_t call, std::int64_t start, std::int64_t end, std::int32_t stream = 0) {
  StepEvent event;
  event.kind = EventKind::kKernel;
  event.item = 0;
  event.stream = stream;
  event.host_start = call * 1000;
  event.host_end = (call + 5) * 1000;
  event.device_start = start * 1000;
  event.device_end = end * 1000;
  return event;
}

StepEvent synchronise(std::int64_t from, std::int64_t to) {
  StepEvent event;
  event.kind = EventKind::kSync;
  event.stream = -1;
  event.host_start = from * 1000;
  event.host_end = to * 1000;
  return event;
}

/// The step's length in us when every kernel takes `factor` times its recorded time.
double replayed(const Step& step, double factor) {
  std::vector<EventCost> costs;
  for (const StepEvent& event : step.events) {
    const bool runs = event.kind != EventKind::kSync;
    costs.push_back(
        {runs ? from_nanoseconds(event.device_end - event.device_start) * factor : Seconds(0),
         Bound::kCompute});
  }
  return replay_step(step, costs).length.value() * 1e6;
}

TEST(StepReplay, AStepBoundByTheDeviceScalesWithIt) {
  Step step;
  step.events = {launch(0, 10, 110), launch(5, 110, 210), launch(10, 210, 310)};
  EXPECT_NEAR(310, replayed(step, 1.0), 1e-6);
  EXPECT_NEAR(10 + 600, replayed(step, 2.0), 1e-6);
}

TEST(StepReplay, AFasterDeviceUncoversTheHost) {
  // The host launches every 100 us; kernels take 80 us.
  Step step;
  step.events = {launch(0, 10, 90), launch(100, 110, 190), launch(200, 210, 290)};
  EXPECT_NEAR(290, replayed(step, 1.0), 1e-6);
  EXPECT_NEAR(210 + 8, replayed(step, 0.1), 1e-6);
}

TEST(StepReplay, ASynchronisationWaitsForTheDevice) {
  // Launch, wait until 110, then 40 us of host work before the next launch.
  Step step;
  step.events = {launch(0, 10, 110), synchronise(10, 112), launch(152, 162, 262)};
  // Twice as slow: wait until 210, 40 us of host, 10 us of launch, 200 us of kernel.
  EXPECT_NEAR(210 + 40 + 10 + 200, replayed(step, 2.0), 2.0);
}

TEST(StepReplay, ACallThatWaitedForRoomInTheQueueIsNotHostWork) {
  // The last launch call took 1 ms because the queue was full; a fast device has room.
  Step step;
  step.events = {launch(0, 10, 510), launch(5, 510, 1010), launch(10, 1010, 1510)};
  step.events.back().host_end = 1010 * 1000;
  EXPECT_LT(replayed(step, 0.01), 100);
}

TEST(StepReplay, WorkThatWaitedForAnotherStreamStillDoes) {
  // The second kernel, on another stream, starts when the first ends although launched long before.
  Step step;
  step.events = {launch(0, 10, 210, 0), launch(5, 211, 311, 1)};
  EXPECT_NEAR(10 + 400 + 200, replayed(step, 2.0), 2.0);
}

TEST(StepReplay, TheKernelsOfAGraphPayOneLaunch) {
  Step step;
  for (int i = 0; i < 100; ++i) step.events.push_back(launch(0, 10 + 10 * i, 20 + 10 * i));
  EXPECT_NEAR(1010, replayed(step, 1.0), 1e-6);
  EXPECT_NEAR(10 + 500, replayed(step, 0.5), 1e-6);
}

TEST(StepReplay, IdlenessWithoutAHostSideIsKept) {
  Step step;
  for (const auto& [start, end] : {std::pair{0, 100}, {150, 250}}) {
    StepEvent event = launch(0, start, end);
    event.host_start = event.host_end = kUnknownTime;
    step.events.push_back(event);
  }
  EXPECT_NEAR(250, replayed(step, 1.0), 1e-6);
  EXPECT_NEAR(50 + 50 + 50, replayed(step, 0.5), 1e-6);
}

}  // namespace
}  // namespace uplift::predict
