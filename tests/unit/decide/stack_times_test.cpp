// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/stack_times.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace uplift::decide {
namespace {

using Row = std::tuple<std::string, int, double, double>;

std::vector<Row> rows(const std::vector<PlaceTime>& places) {
  std::vector<Row> list;
  for (const PlaceTime& p : places) list.emplace_back(p.name, p.depth, p.launches, p.seconds);
  return list;
}

StackFrame frame(FrameKind kind, std::string name, std::int32_t parent, std::int64_t launches = 0,
                 double seconds = 0) {
  return {kind, std::move(name), parent, launches, Seconds(seconds)};
}

TEST(StackTimes, ModulesAreATreeWithOperatorsPassedThrough) {
  Workload workload;
  workload.steps = 2;
  workload.stacks = {
      frame(FrameKind::kAnnotation, "ProfilerStep#1", -1),
      frame(FrameKind::kModule, "Net_0", 0),
      frame(FrameKind::kModule, "Linear_0", 1),
      frame(FrameKind::kOp, "aten::linear", 2, 2, 6.0),
      frame(FrameKind::kModule, "Linear_1", 1),
      frame(FrameKind::kOp, "aten::linear", 4, 4, 8.0),
      frame(FrameKind::kAnnotation, "ProfilerStep#2", -1),
      frame(FrameKind::kModule, "Net_0", 6, 2, 2.0),  // the same place in another step
      frame(FrameKind::kOp, "aten::mul", -1, 10, 9.0),
  };
  EXPECT_EQ((std::vector<Row>{{"Net_0", 0, 4, 8}, {"Linear_1", 1, 2, 4}, {"Linear_0", 1, 1, 3}}),
            rows(stack_times(workload, FrameKind::kModule)));
  EXPECT_TRUE(stack_times(workload, FrameKind::kAnnotation).empty());
}

TEST(StackTimes, AnnotationsNest) {
  Workload workload;
  workload.steps = 1;
  workload.stacks = {frame(FrameKind::kAnnotation, "forward", -1, 1, 1.0),
                     frame(FrameKind::kModule, "Net_0", 0, 1, 1.0),
                     frame(FrameKind::kAnnotation, "loss", 1, 1, 3.0)};
  EXPECT_EQ((std::vector<Row>{{"forward", 0, 3, 5}, {"loss", 1, 1, 3}}),
            rows(stack_times(workload, FrameKind::kAnnotation)));
}

TEST(StackTimes, KernelsUnderNoneComeLast) {
  Workload workload;
  workload.steps = 1;
  workload.stacks = {frame(FrameKind::kModule, "Net_0", -1, 1, 1.0)};
  DistinctKernel kernel;
  kernel.launches = 3;
  kernel.total = Seconds(4.0);
  workload.kernels.push_back(kernel);
  EXPECT_EQ((std::vector<Row>{{"Net_0", 0, 1, 1}, {"", 0, 2, 3}}),
            rows(stack_times(workload, FrameKind::kModule)));
  EXPECT_TRUE(stack_times(workload, FrameKind::kAnnotation).empty());
}

TEST(StackTimes, TypesAreThoseOfTheInnermostModules) {
  Workload workload;
  workload.steps = 2;
  workload.stacks = {frame(FrameKind::kModule, "Net_0", -1, 2, 1.0),
                     frame(FrameKind::kModule, "Linear_3", 0),
                     frame(FrameKind::kOp, "aten::mm", 1, 2, 6.0),
                     frame(FrameKind::kModule, "Linear_14", 0, 2, 4.0),
                     frame(FrameKind::kModule, "_7", 0, 2, 0.5),
                     frame(FrameKind::kOp, "aten::add", -1, 2, 3.0)};
  EXPECT_EQ((std::vector<Row>{{"Linear", 0, 2, 5}, {"Net", 0, 1, 0.5}, {"_7", 0, 1, 0.25}}),
            rows(module_type_times(workload)));
  workload.stacks = {frame(FrameKind::kOp, "aten::add", -1, 2, 3.0)};
  EXPECT_TRUE(module_type_times(workload).empty());
}

TEST(StackTimes, ParentsThatDoNotComeBeforeAreNone) {
  Workload workload;
  workload.stacks = {frame(FrameKind::kModule, "A", 1, 1, 1.0),
                     frame(FrameKind::kModule, "B", 77, 1, 2.0),
                     frame(FrameKind::kModule, "C", -9, 1, 3.0)};
  EXPECT_EQ((std::vector<Row>{{"C", 0, 1, 3}, {"B", 0, 1, 2}, {"A", 0, 1, 1}}),
            rows(stack_times(workload, FrameKind::kModule)));
}

TEST(StackTimes, APlaceIsTheInnermostFrames) {
  Workload workload;
  workload.stacks = {frame(FrameKind::kAnnotation, "ProfilerStep#1", -1),
                     frame(FrameKind::kModule, "Net_0", 0),
                     frame(FrameKind::kModule, "A_0", 1),
                     frame(FrameKind::kModule, "B_0", 2),
                     frame(FrameKind::kModule, "C_0", 3),
                     frame(FrameKind::kOp, "aten::item", 4),
                     frame(FrameKind::kOp, "aten::_local_scalar_dense", 5),
                     frame(FrameKind::kOp, "loop", 7)};
  EXPECT_EQ("A_0 / B_0 / C_0 / aten::item", place_of(workload, 6));
  EXPECT_EQ("Net_0", place_of(workload, 1));
  EXPECT_EQ("", place_of(workload, -1));
  EXPECT_EQ("", place_of(workload, 99));
  EXPECT_EQ("loop", place_of(workload, 7));
}

TEST(StackTimes, OperatorsByFallingTime) {
  Workload workload;
  workload.steps = 1;
  for (const auto& [op, seconds] : {std::pair{"aten::mm", 1.0}, {"", 2.5}, {"aten::mm", 2.0}}) {
    DistinctKernel kernel;
    kernel.op = op;
    kernel.launches = 3;
    kernel.total = Seconds(seconds);
    workload.kernels.push_back(kernel);
  }
  EXPECT_EQ((std::vector<Row>{{"aten::mm", 0, 6, 3}, {"", 0, 3, 2.5}}), rows(op_times(workload)));
}

}  // namespace
}  // namespace uplift::decide
