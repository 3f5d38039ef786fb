// SPDX-License-Identifier: Apache-2.0
// Where in the program work came from, what each GPU did, and what the recording lacks.
#include "tests/unit/read/trace_builder.hpp"
#include "uplift/read/trace/kineto_workload.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <string>

namespace uplift::read {
namespace {

using testing::ElementsAre;

std::string python(const std::string& name, double start, double length) {
  return fmt::format(R"({{"ph": "X", "cat": "python_function", "name": "{}", "pid": 1, "tid": 1, )"
                     R"("ts": {}, "dur": {}, "args": {{"Python id": 1, "Python module id": 0}}}})",
                     name, start, length);
}

Workload must_read(const TraceBuilder& trace, unsigned threads = 1) {
  MemorySource source(trace.text(), 4096);
  auto workload = read_kineto(source, "trace.json", threads);
  EXPECT_TRUE(workload) << (workload ? "" : workload.error().line());
  return workload ? *workload : Workload{};
}

/// `annotation:a / module:b / op:c` of a frame.
std::string path(const Workload& workload, std::int32_t frame) {
  std::string text;
  for (; frame >= 0; frame = workload.stacks[static_cast<std::size_t>(frame)].parent) {
    const StackFrame& here = workload.stacks[static_cast<std::size_t>(frame)];
    EXPECT_LT(here.parent, frame);
    const std::string kind = here.kind == FrameKind::kOp       ? "op:"
                             : here.kind == FrameKind::kModule ? "module:"
                                                               : "annotation:";
    text = kind + here.name + (text.empty() ? "" : " / " + text);
  }
  return text;
}

TraceBuilder nested() {
  TraceBuilder trace;
  trace.step(1, 0, 1000);
  trace.raw(R"({"ph": "X", "cat": "user_annotation", "name": "forward", "pid": 1, "tid": 1, )"
            R"("ts": 1, "dur": 500})");
  trace.raw(python("nn.Module: Net_0", 2, 400)).raw(python("net.py(3): forward", 3, 300));
  for (int layer = 0; layer < 2; ++layer) {
    const double t = 10 + 100 * layer;
    trace.raw(python("nn.Module: Linear_" + std::to_string(layer), t, 90));
    trace.op("aten::linear", t + 1, 80).op("aten::addmm", t + 2, 70);
    trace.launch("gemm", t + 5, 20, layer + 1);
  }
  trace.launch("outside", 700, 30, 9);
  trace.call("cudaStreamSynchronize", 800, 10, 10);
  return trace;
}

TEST(KinetoStacks, FramesNestByTimeAndAreCounted) {
  const Workload workload = must_read(nested());
  ASSERT_EQ(8u, workload.stacks.size());
  EXPECT_EQ(
      "annotation:forward / module:Net_0 / module:Linear_0 / op:aten::linear / op:aten::addmm",
      path(workload, 4));
  EXPECT_EQ(
      "annotation:forward / module:Net_0 / module:Linear_1 / op:aten::linear / op:aten::addmm",
      path(workload, 7));
  EXPECT_EQ(1, workload.stacks[4].launches);
  EXPECT_DOUBLE_EQ(20e-6, workload.stacks[7].total.value());
  EXPECT_EQ(0, workload.stacks[0].launches);  // its own, not those below
  ASSERT_EQ(4u, workload.step.events.size());
  EXPECT_EQ(4, workload.step.events[0].frame);
  EXPECT_EQ(-1, workload.step.events[2].frame);
  EXPECT_TRUE(workload.recording.modules);
  // Layers are told apart by their place in the program, not by their kernels.
  EXPECT_EQ(2u, workload.kernels.size());
}

TEST(KinetoStacks, AThreadHasItsOwnStack) {
  TraceBuilder trace;
  trace.op("forward", 0, 100);
  trace.raw(R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, )"
            R"("ts": 5, "dur": 5, "args": {"correlation": 1}})");
  trace.kernel("k", 20, 10, 1);
  const Workload workload = must_read(trace);
  EXPECT_TRUE(workload.stacks.empty());
  EXPECT_EQ("", workload.kernels[0].op);
}

TEST(KinetoStacks, EveryGpuIsToldAndTheRankToo) {
  TraceBuilder trace;
  trace.launch("k", 0, 20, 1).kernel("k", 0, 50, 2, 7, 1).kernel("k", 60, 10, 3, 9, 1);
  trace.kernel("ncclKernel_AllReduce_RING", 80, 5, 4, 9, 1);
  std::string text = trace.text();
  text.insert(1, R"("distributedInfo": {"backend": "nccl", "rank": 1, "world_size": 2}, )");
  MemorySource source(text);
  auto workload = read_kineto(source, "trace.json");
  ASSERT_TRUE(workload) << workload.error().line();
  EXPECT_EQ(1, workload->recording.rank);
  EXPECT_EQ(2, workload->recording.world_size);
  ASSERT_EQ(2u, workload->device_activity.size());
  const DeviceActivity& second = workload->device_activity[1];
  EXPECT_EQ(1, second.device);
  EXPECT_EQ(3, second.kernels);
  EXPECT_EQ(2, second.streams);
  EXPECT_NEAR(65e-6, second.kernel_time.value(), 1e-12);
  EXPECT_NEAR(5e-6, second.collective_time.value(), 1e-12);
  EXPECT_EQ(1, workload->device);
  EXPECT_EQ(3, workload->recording.unlinked_kernels);
}

TEST(KinetoStacks, CopiesThatWaitAreToldApart) {
  TraceBuilder trace;
  trace.launch("k", 0, 5, 1);
  trace.call("cudaMemcpy", 20, 40, 2).copy("Memcpy HtoD (Pageable -> Device)", 25, 30, 2, 1000);
  trace.call("cudaMemcpyAsync", 70, 5, 3).copy("Memcpy HtoD (Pageable -> Device)", 80, 9, 3, 500);
  const Workload workload = must_read(trace);
  ASSERT_EQ(2u, workload.copies.size());
  EXPECT_TRUE(workload.copies[0].synchronous);
  EXPECT_FALSE(workload.copies[1].synchronous);
}

// Each process numbers its calls for itself.
TEST(KinetoStacks, OfCallsWithTheSameIdTheLastOneBeforeTheKernelIsTaken) {
  TraceBuilder trace;
  trace.op("aten::first", 0, 20).call("cudaLaunchKernel", 10, 5, 7);
  trace.op("aten::second", 100, 20).call("cudaLaunchKernel", 110, 5, 7);
  trace.op("aten::third", 200, 20).call("cudaLaunchKernel", 210, 5, 7);
  trace.kernel("k", 120, 10, 7).kernel("k", 20, 10, 7);
  const Workload workload = must_read(trace);
  ASSERT_EQ(2u, workload.kernels.size());
  std::vector<std::string> ops = {workload.kernels[0].op, workload.kernels[1].op};
  std::sort(ops.begin(), ops.end());
  EXPECT_THAT(ops, ElementsAre("aten::first", "aten::second"));
}

TEST(KinetoStacks, TheNumberOfThreadsChangesNothing) {
  TraceBuilder trace;
  for (int i = 0; i < 20'000; ++i) {
    const double t = 50.0 * i;
    if (i % 1000 == 0) trace.step(i / 1000, t, 49'000);
    trace.op("aten::op" + std::to_string(i % 37), t, 40, i + 1);
    trace.launch("kernel" + std::to_string(i % 91), t + 1, 10 + i % 7, i + 1, i % 3);
  }
  const Workload one = must_read(trace, 1);
  for (const unsigned threads : {2U, 4U}) {
    const Workload several = must_read(trace, threads);
    EXPECT_EQ(one.steps, several.steps);
    EXPECT_EQ(one.kernel_launches, several.kernel_launches);
    EXPECT_EQ(one.busy.value(), several.busy.value());
    ASSERT_EQ(one.kernels.size(), several.kernels.size());
    for (std::size_t i = 0; i < one.kernels.size(); ++i) {
      EXPECT_EQ(one.kernels[i].name, several.kernels[i].name);
      EXPECT_EQ(one.kernels[i].op, several.kernels[i].op);
      EXPECT_EQ(one.kernels[i].total.value(), several.kernels[i].total.value());
    }
    ASSERT_EQ(one.step.events.size(), several.step.events.size());
  }
}

}  // namespace
}  // namespace uplift::read
