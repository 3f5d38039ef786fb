// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/launch_stretches.hpp"

#include "tests/unit/hand_made_step.hpp"
#include "uplift/predict/step_timeline.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

using hand_made::StepBuilder;

TEST(LaunchStretches, KernelsThatStartWithTheirLaunchAreOneStretch) {
  // Every 20 us a launch, 10 us later a kernel of 4 us; then one that was queued early.
  StepBuilder step;
  for (int i = 0; i < 6; ++i) {
    step.kernel(20 * i, 20 * i + 10, 20 * i + 14, KernelClass::kElementwise, 0,
                i < 4 ? "aten::mul" : "aten::add");
  }
  step.kernel(101, 115, 400);
  step.kernel(103, 401, 500);
  const StepTimeline timeline = describe_timeline(step.of(500));
  EXPECT_EQ(1, timeline.stretches);
  // The first kernel has nothing before it, and the seventh's launch came while the sixth ran.
  ASSERT_EQ(1U, timeline.longest.size());
  const LaunchStretch& stretch = timeline.longest[0];
  EXPECT_EQ(5, stretch.kernels);
  EXPECT_NEAR(14e-6, stretch.start.value(), 1e-12);
  EXPECT_NEAR(100e-6, stretch.length.value(), 1e-12);
  EXPECT_NEAR(5 * 16e-6, stretch.idle.value(), 1e-12);
  EXPECT_EQ((std::vector<std::string>{"aten::mul", "aten::add"}), stretch.ops);
}

TEST(LaunchStretches, QueuedKernelsAreNone) {
  StepBuilder step;
  for (int i = 0; i < 10; ++i) step.kernel(i, 10 + 100 * i, 108 + 100 * i);
  EXPECT_EQ(0, describe_timeline(step.of(1100)).stretches);
}

TEST(LaunchStretches, TheKernelsOfAGraphAreNone) {
  StepBuilder step;
  step.kernel(0, 10, 20);
  for (int i = 0; i < 10; ++i) step.kernel(50, 60 + 10 * i, 68 + 10 * i);
  EXPECT_EQ(0, describe_timeline(step.of(200)).stretches);
}

}  // namespace
}  // namespace uplift::predict
