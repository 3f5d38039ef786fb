// SPDX-License-Identifier: Apache-2.0
// Steps of a few events whose parts are counted by hand; times in microseconds.
#include "uplift/predict/step_timeline.hpp"

#include "tests/unit/hand_made_step.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace uplift::predict {
namespace {

using hand_made::StepBuilder;

double us(Seconds time) { return time.value() * 1e6; }
double part(const StepTimeline& timeline, StepPart which) { return us(timeline.part(which)); }

TEST(StepTimeline, OverlappingWorkCountsOnceAndKernelsFirst) {
  StepBuilder step;
  step.kernel(0, 10, 50);
  step.kernel(5, 40, 60, KernelClass::kElementwise, 1);
  step.kernel(6, 55, 80, KernelClass::kCollective, 2);
  step.copy(CopyKind::kHostToDevice, false, 7, 12, 70, 90, 1000, 3);
  const StepTimeline timeline = describe_timeline(step.of(90));
  EXPECT_DOUBLE_EQ(50, part(timeline, StepPart::kCompute));  // 10 to 60
  EXPECT_DOUBLE_EQ(20, part(timeline, StepPart::kComm));     // 60 to 80
  EXPECT_DOUBLE_EQ(10, part(timeline, StepPart::kCopy));     // 80 to 90
  EXPECT_DOUBLE_EQ(10, part(timeline, StepPart::kLaunch));   // call at 0, start at 10
  EXPECT_EQ(4, timeline.streams);
  EXPECT_DOUBLE_EQ(25, us(timeline.collectives));
  EXPECT_DOUBLE_EQ(5, us(timeline.collectives_hidden));
}

TEST(StepTimeline, TheHostIsIdleTimeBeforeTheCallAndLaunchAfterIt) {
  StepBuilder step;
  step.kernel(0, 10, 50);
  step.kernel(80, 92, 100);
  const StepTimeline timeline = describe_timeline(step.of(110));
  EXPECT_DOUBLE_EQ(10 + 12, part(timeline, StepPart::kLaunch));
  EXPECT_DOUBLE_EQ(30 + 10, part(timeline, StepPart::kHost));  // 50 to 80, and the end
}

TEST(StepTimeline, AGapBetweenKernelsAlreadyQueuedIsLaunch) {
  StepBuilder step;
  step.kernel(0, 10, 50);
  step.kernel(5, 52, 100);
  EXPECT_DOUBLE_EQ(12, part(describe_timeline(step.of(100)), StepPart::kLaunch));
}

TEST(StepTimeline, ASynchronisationIsToBlameUntilTheNextCall) {
  // The host waits from 10 to 55, works until 70, and launches what starts at 80.
  StepBuilder step;
  step.kernel(0, 10, 50);
  step.sync(10, 55);
  step.kernel(70, 80, 100);
  const StepTimeline timeline = describe_timeline(step.of(100));
  EXPECT_DOUBLE_EQ(20, part(timeline, StepPart::kSync));
  EXPECT_DOUBLE_EQ(10 + 10, part(timeline, StepPart::kLaunch));
  EXPECT_DOUBLE_EQ(0, part(timeline, StepPart::kHost));
}

TEST(StepTimeline, IdleTimeInsideABlockingCopyIsTheCopys) {
  // The call lasts from 0 to 60; the engine moves data from 20 to 58.
  StepBuilder step;
  step.copy(CopyKind::kHostToDevice, true, 0, 60, 20, 58);
  step.kernel(65, 75, 100);
  const StepTimeline timeline = describe_timeline(step.of(100));
  EXPECT_DOUBLE_EQ(60, part(timeline, StepPart::kCopy));
  EXPECT_DOUBLE_EQ(5, part(timeline, StepPart::kHost));
  EXPECT_DOUBLE_EQ(10, part(timeline, StepPart::kLaunch));
  ASSERT_EQ(1U, timeline.copies.size());
  EXPECT_TRUE(timeline.copies[0].blocks_host);
  EXPECT_TRUE(timeline.copies[0].on_kernel_stream);
  EXPECT_DOUBLE_EQ(38, us(timeline.copies[0].exposed));
}

TEST(StepTimeline, ACopyUnderAKernelIsHidden) {
  StepBuilder step;
  step.kernel(0, 10, 100);
  step.copy(CopyKind::kHostToDevice, false, 5, 10, 20, 60, 1000, 1);
  const StepTimeline timeline = describe_timeline(step.of(100));
  EXPECT_DOUBLE_EQ(0, part(timeline, StepPart::kCopy));
  EXPECT_DOUBLE_EQ(40, us(timeline.copies[0].hidden()));
  EXPECT_FALSE(timeline.copies[0].on_kernel_stream);
}

TEST(StepTimeline, ACopyThatTheNextCallWaitsForIsAwaited) {
  StepBuilder step;
  step.kernel(0, 10, 50);
  step.copy(CopyKind::kDeviceToHost, false, 5, 10, 50, 52, 4);
  step.sync(12, 55);
  EXPECT_TRUE(describe_timeline(step.of(60)).copies[0].awaited);
}

TEST(StepTimeline, ADeviceBehindTheHostMovesTheWindow) {
  // The step before keeps the device until 100; this one runs from there to 160 and is 60 long.
  StepBuilder step;
  step.kernel(0, 100, 160);
  const StepTimeline timeline = describe_timeline(step.of(60));
  EXPECT_DOUBLE_EQ(60, part(timeline, StepPart::kCompute));
}

TEST(StepTimeline, GraphKernelsAreThoseOfOneCall) {
  StepBuilder step;
  for (int i = 0; i < 3; ++i) step.kernel(0, 10 + 10 * i, 19 + 10 * i);
  step.kernel(20, 50, 60);
  EXPECT_EQ(3, describe_timeline(step.of(60)).graph_kernels);
}

TEST(StepTimeline, OddTimesTakeNoPart) {
  StepBuilder step;
  step.kernel(0, 10, 50);
  step.kernel(5, 60, 40);             // backwards
  step.kernel(6, 70, 70);             // of no length
  step.kernel(7, -30, -10);           // before the step
  step.kernel(8, 90, 95).item = 999;  // of no kernel
  step.kernel(8, 90, 95).stream = -4;
  StepEvent& unknown = step.kernel(9, 80, 90);
  unknown.host_start = unknown.host_end = kUnknownTime;
  unknown.device_start = kUnknownTime;
  StepEvent& far = step.kernel(9, 80, 90);
  far.device_end = std::numeric_limits<std::int64_t>::max();
  const StepTimeline timeline = describe_timeline(step.of(100));
  EXPECT_DOUBLE_EQ(40, part(timeline, StepPart::kCompute));
  double sum = 0;
  for (const Seconds one : timeline.parts) sum += us(one);
  EXPECT_DOUBLE_EQ(100, sum);
}

TEST(StepTimeline, NothingGivesNothing) {
  const StepTimeline timeline = describe_timeline(Workload{});
  EXPECT_EQ(0, timeline.length.value());
  EXPECT_EQ(0, timeline.idle().value());
}

}  // namespace
}  // namespace uplift::predict
