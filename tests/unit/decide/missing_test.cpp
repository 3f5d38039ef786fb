// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/missing.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace uplift::decide {
namespace {

using ::testing::HasSubstr;

Workload recorded_well() {
  Workload workload;
  workload.steps = 3;
  workload.recording.shapes = workload.recording.modules = workload.recording.memory = true;
  DistinctKernel kernel;
  kernel.launches = 1;
  kernel.total = Seconds(0.59);
  kernel.shape = TensorShape{1, 1};
  workload.kernels.push_back(kernel);
  kernel.shape = {};
  kernel.total = Seconds(0.41);
  workload.kernels.push_back(kernel);
  return workload;
}

TEST(Missing, NothingIsMissingFromAGoodRecording) {
  EXPECT_TRUE(find_missing(recorded_well()).empty());
}

TEST(Missing, ShapesAreToldWithTheTimeTheyCost) {
  Workload workload = recorded_well();
  workload.recording.shapes = false;
  EXPECT_TRUE(find_missing(workload).empty()) << "shapes that are there count";
  workload.kernels[0].shape = {};
  const auto missing = find_missing(workload);
  ASSERT_EQ(1U, missing.size());
  EXPECT_THAT(missing[0].what, HasSubstr("100 % of the kernel time"));
  EXPECT_THAT(missing[0].action, HasSubstr("record_shapes=True"));
}

TEST(Missing, LaunchesBeforeTheRecordingWantAnEarlierBegin) {
  Workload workload = recorded_well();
  workload.kernel_launches = workload.recording.unlinked_kernels = 3;
  EXPECT_THAT(find_missing(workload).at(0).action, HasSubstr("ProfilerActivity.CPU"));
  workload.kernel_launches = 10;
  EXPECT_THAT(find_missing(workload).at(0).action, HasSubstr("one step earlier"));
}

TEST(Missing, EveryLackHasSomethingToDo) {
  Workload workload;
  workload.recording.cut_at = 12345;
  workload.recording.unlinked_kernels = 1;
  const auto missing = find_missing(workload);
  ASSERT_EQ(6U, missing.size());
  EXPECT_THAT(missing[0].what, HasSubstr("12345"));
  EXPECT_THAT(missing[1].action, HasSubstr("prof.step()"));
  for (const Missing& one : missing) EXPECT_FALSE(one.action.empty());
}

}  // namespace
}  // namespace uplift::decide
