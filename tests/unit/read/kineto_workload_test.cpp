// SPDX-License-Identifier: Apache-2.0
// Small traces with known answers: links, steps, kernels, copies and the order of the step. Damaged
// and hostile ones are in kineto_damage_test.cpp.
#include "uplift/read/trace/kineto_workload.hpp"

#include "tests/unit/read/trace_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <string>

namespace uplift::read {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr double kUs = 1e-6;

Workload must_read(const TraceBuilder& trace) {
  auto workload = trace.read();
  EXPECT_TRUE(workload) << (workload ? "" : workload.error().line());
  return workload ? *workload : Workload{};
}

const DistinctKernel& kernel_named(const Workload& workload, std::string_view name) {
  static const DistinctKernel kNone;
  for (const DistinctKernel& kernel : workload.kernels) {
    if (kernel.name == name) return kernel;
  }
  ADD_FAILURE() << "no kernel " << name;
  return kNone;
}

/// Two steps of 100 us with the same two kernels in each.
TraceBuilder two_steps() {
  TraceBuilder trace;
  trace.step(1, 0, 100).step(2, 100, 100);
  for (int step = 0; step < 2; ++step) {
    const double t = 100.0 * step;
    const int id = 10 * step;
    trace.op("aten::mm", t + 5, 20, id + 1,
             R"("Input Dims": [[4, 8], [8, 16]], "Input type": ["float", "float"])");
    trace.launch("volta_sgemm_64x64_nn", t + 10, 30, id + 1);
    trace.op("aten::add", t + 40, 20, id + 2,
             R"("Input Dims": [[4, 16], [4, 16], []], "Input type": ["float", "float", "Scalar"])");
    trace.launch("vectorized_elementwise_kernel", t + 45, 10, id + 2);
  }
  return trace;
}

TEST(Kineto, TwoStepsAreCountedAndMeasured) {
  const Workload workload = must_read(two_steps());
  EXPECT_EQ("pytorch-trace", workload.kind);
  EXPECT_EQ(2, workload.steps);
  EXPECT_EQ(4, workload.kernel_launches);
  EXPECT_NEAR(100 * kUs, workload.step_length.value(), 1e-12);
  EXPECT_NEAR(40 * kUs, workload.busy.value(), 1e-12);
  ASSERT_EQ(2u, workload.kernels.size());
  EXPECT_EQ("volta_sgemm_64x64_nn", workload.kernels[0].name);  // by falling time
  EXPECT_EQ(2, workload.kernels[0].launches);
  EXPECT_NEAR(60 * kUs, workload.kernels[0].total.value(), 1e-12);
  EXPECT_EQ(KernelClass::kGemm, workload.kernels[0].kernel_class);
  EXPECT_EQ("aten::mm", workload.kernels[0].op);
  EXPECT_EQ(OpShape(GemmShape{1, 4, 16, 8}), workload.kernels[0].shape);
  EXPECT_EQ(4, workload.kernels[0].element_bytes);
  EXPECT_EQ(OpShape(TensorShape{128, 64}), workload.kernels[1].shape);
  EXPECT_EQ((std::array<std::int64_t, 3>{80, 1, 1}), workload.kernels[0].launch.grid);
  EXPECT_EQ(32, workload.kernels[0].launch.registers_per_thread);
  EXPECT_TRUE(workload.warnings.empty());
  ASSERT_EQ(2u, workload.step.events.size());
  EXPECT_EQ(10'000, workload.step.events[0].host_start);
  EXPECT_EQ(20'000, workload.step.events[0].device_start);
  EXPECT_EQ(50'000, workload.step.host_tail);  // the last call returns at 50 of 100 us
}

// Any order of the events gives the same answer; so does any order of the keys.
TEST(Kineto, OrderOfEventsDoesNotMatter) {
  TraceBuilder trace = two_steps();
  const Workload expected = must_read(trace);
  for (int i = 0; i < 50; ++i) {
    std::next_permutation(trace.events().begin(), trace.events().end());
    std::rotate(trace.events().begin(), trace.events().begin() + 3, trace.events().end());
    const Workload workload = must_read(trace);
    ASSERT_EQ(expected.kernels.size(), workload.kernels.size());
    EXPECT_EQ(expected.steps, workload.steps);
    EXPECT_EQ(expected.busy.value(), workload.busy.value());
    for (std::size_t k = 0; k < expected.kernels.size(); ++k) {
      EXPECT_EQ(expected.kernels[k].name, workload.kernels[k].name);
      EXPECT_EQ(expected.kernels[k].shape, workload.kernels[k].shape);
    }
  }
}

TEST(Kineto, OrderOfKeysDoesNotMatter) {
  TraceBuilder trace;
  trace.raw(R"({"args": {"correlation": 3, "block": [64, 2, 1], "stream": 9, "grid": [5, 6, 7],)"
            R"( "device": 0}, "dur": 4, "ts": 100, "name": "k", "cat": "kernel", "ph": "X"})");
  trace.raw(R"({"ts": 90, "args": {"correlation": 3}, "name": "cudaLaunchKernel", "dur": 2,)"
            R"( "tid": 1, "cat": "cuda_runtime", "pid": 1, "ph": "X"})");
  const Workload workload = must_read(trace);
  ASSERT_EQ(1u, workload.kernels.size());
  EXPECT_EQ((std::array<std::int64_t, 3>{5, 6, 7}), workload.kernels[0].launch.grid);
  ASSERT_EQ(1u, workload.step.events.size());
  EXPECT_EQ(0, workload.step.events[0].host_start);
  EXPECT_EQ(10'000, workload.step.events[0].device_start);
}

TEST(Kineto, TimesOfOldAndNewTracesAreExact) {
  TraceBuilder trace;
  trace.raw(R"({"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7,)"
            R"( "ts": 5241293918139.651, "dur": 12.345, "args": {}})");
  trace.raw(R"({"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7,)"
            R"( "ts": 5241293918160.000, "dur": 0.001, "args": {}})");
  const Workload workload = must_read(trace);
  EXPECT_NEAR(12.345e-6, kernel_named(workload, "a").total.value(), 1e-15);
  EXPECT_NEAR(1e-9, kernel_named(workload, "b").total.value(), 1e-18);
  EXPECT_NEAR(20.350e-6, workload.step_length.value(), 1e-15);
}

// PyTorch 1.8: other category names, streams as text, `Input Types`, microseconds as integers.
TEST(Kineto, TheFirstFormatIsRead) {
  TraceBuilder trace;
  trace.raw(R"({"ph": "X", "cat": "Operator", "name": "ProfilerStep#1", "pid": 25738,)"
            R"( "tid": "25738", "ts": 1000, "dur": 100, "args": {"Device": 25738}})");
  trace.raw(R"({"ph": "X", "cat": "Operator", "name": "aten::mm", "pid": 25738, "tid": "25738",)"
            R"( "ts": 1010, "dur": 30, "args": {"External id": 2, "Input Dims": [[2, 3], [3, 4]],)"
            R"( "Input Types": ["float", "float"]}})");
  trace.raw(R"({"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 25738,)"
            R"( "tid": "25738", "ts": 1020, "dur": 5, "args": {"correlation": 9}})");
  trace.raw(R"({"ph": "X", "cat": "Kernel", "name": "volta_sgemm_32x32_nn", "pid": 0,)"
            R"( "tid": "stream 7", "ts": 1030, "dur": 40, "args": {"correlation": 9,)"
            R"( "grid": [1, 1, 1], "block": [64, 1, 1]}})");
  trace.raw(R"-({"ph": "X", "cat": "Memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0,)-"
            R"( "tid": "stream 21", "ts": 1030, "dur": 40, "args": {"bytes": 512}})");
  trace.raw(R"-({"ph": "X", "cat": "Memset", "name": "Memset (Device)", "pid": 0,)-"
            R"( "tid": "stream 7", "ts": 1080, "dur": 4, "args": {"bytes": 16}})");
  const Workload workload = must_read(trace);
  EXPECT_EQ(1, workload.steps);
  EXPECT_EQ(1, workload.kernel_launches);
  EXPECT_EQ(OpShape(GemmShape{1, 2, 4, 3}), kernel_named(workload, "volta_sgemm_32x32_nn").shape);
  EXPECT_EQ(2u, workload.copies.size());
  ASSERT_EQ(3u, workload.step.events.size());
  std::vector<std::int32_t> streams;
  for (const StepEvent& event : workload.step.events) streams.push_back(event.stream);
  std::sort(streams.begin(), streams.end());
  EXPECT_EQ((std::vector<std::int32_t>{0, 0, 1}), streams) << "\"stream 7\" is not \"stream 21\"";
}

TEST(Kineto, CorrelationDecidesBeforeExternalId) {
  TraceBuilder trace;
  trace.op("aten::mm", 0, 50, 1).call("cudaLaunchKernel", 10, 5, 7);
  trace.op("aten::relu", 60, 10, 999);
  trace.kernel("gemm", 20, 30, 7, 7, 0, 999);       // the id of another operator
  trace.kernel("late", 100, 30, 12345, 7, 0, 999);  // no call: the id is all there is
  trace.kernel("lost", 150, 30, 54321, 7, 0, 777);  // neither matches anything
  const Workload workload = must_read(trace);
  EXPECT_EQ("aten::mm", kernel_named(workload, "gemm").op);
  EXPECT_EQ("aten::relu", kernel_named(workload, "late").op);
  EXPECT_EQ("", kernel_named(workload, "lost").op);
}

TEST(Kineto, TheInnermostOperatorOfTheSameThreadIsTaken) {
  TraceBuilder trace;
  trace.op("aten::linear", 0, 100, 1, R"("Input Dims": [[9, 9], [9, 9]])");
  trace.op("aten::addmm", 5, 50, 2);
  trace.launch("gemm_a", 10, 5, 1);
  trace.launch("gemm_b", 70, 5, 2);
  trace.launch("after", 150, 5, 3);
  trace.raw(R"({"ph": "X", "cat": "cpu_op", "name": "other_thread", "pid": 1, "tid": 2, "ts": 9,)"
            R"( "dur": 100, "args": {"External id": 5}})");
  const Workload workload = must_read(trace);
  EXPECT_EQ("aten::addmm", kernel_named(workload, "gemm_a").op);
  EXPECT_EQ("aten::linear", kernel_named(workload, "gemm_b").op);
  EXPECT_EQ("", kernel_named(workload, "after").op);
}

TEST(Kineto, TheBusiestDeviceIsTold) {
  TraceBuilder trace;
  trace.device(R"({"id": 0, "name": "Tesla T4", "numSms": 40})");
  trace.device(R"({"id": 1, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85031714816,)"
               R"( "computeMajor": 8, "computeMinor": 0, "numSms": 108})");
  trace.kernel("small", 0, 10, 1, 7, 0)
      .kernel("large", 0, 500, 2, 7, 1)
      .kernel("b", 600, 9, 3, 7, 1);
  const Workload workload = must_read(trace);
  EXPECT_EQ(1, workload.device);
  EXPECT_EQ(2, workload.gpus_seen);
  EXPECT_EQ(3, workload.kernel_launches);  // of all devices
  EXPECT_EQ(2u, workload.kernels.size());  // of the one told
  ASSERT_EQ(2u, workload.devices.size());
  EXPECT_EQ("NVIDIA A100-SXM4-80GB", workload.devices[1].name);
  EXPECT_EQ(85031714816, workload.devices[1].memory_bytes);
  EXPECT_THAT(workload.warnings, Contains(HasSubstr("the answer is for GPU 1, the busiest")));
}

TEST(Kineto, StepsThatTheProfilerCutAreLeftOut) {
  TraceBuilder trace;
  trace.step(1, 0, 100).step(2, 100, 120).step(3, 220, 100).step(4, 320, 50);
  int id = 0;
  for (const double start : {100.0, 220.0}) {
    for (int i = 0; i < 4; ++i) trace.launch("k", start + 20 * i, 5, ++id);
  }
  trace.launch("k", 330, 5, ++id);  // one of four: the profiler stopped
  const Workload workload = must_read(trace);
  EXPECT_EQ(2, workload.steps);
  EXPECT_EQ(9, workload.kernel_launches);
  EXPECT_EQ(8, workload.kernels[0].launches);
  EXPECT_NEAR(110 * kUs, workload.step_length.value(), 1e-12);
  EXPECT_THAT(workload.warnings, Contains(HasSubstr("2 marked steps were left out")));
}

TEST(Kineto, WithoutStepsTheSpanStandsForOne) {
  TraceBuilder trace;
  trace.launch("k", 10, 30, 1).launch("k", 100, 30, 2);
  const Workload workload = must_read(trace);
  EXPECT_EQ(0, workload.steps);
  EXPECT_EQ(1.0, workload.step_count());
  EXPECT_NEAR(130 * kUs, workload.step_length.value(), 1e-12);
  EXPECT_NEAR(60 * kUs, workload.busy.value(), 1e-12);
  EXPECT_THAT(workload.warnings, Contains(HasSubstr("no complete steps are marked")));
}

TEST(Kineto, AKernelBelongsToTheStepThatLaunchedIt) {
  TraceBuilder trace;
  trace.step(1, 0, 100).step(2, 100, 100);
  trace.call("cudaLaunchKernel", 90, 5, 1).kernel("a", 120, 50, 1);
  trace.call("cudaLaunchKernel", 190, 5, 2).kernel("a", 210, 150, 2);
  const Workload workload = must_read(trace);
  EXPECT_EQ(2, workload.steps);
  // Step 1 lasts until its kernel ends (0 to 170), step 2 from there on (170 to 360).
  EXPECT_NEAR(180 * kUs, workload.step_length.value(), 1e-12);
  EXPECT_NEAR(100 * kUs, workload.busy.value(), 1e-12);
}

TEST(Kineto, OverlappingStreamsAreBusyOnce) {
  TraceBuilder trace;
  trace.step(1, 0, 100);
  trace.launch("a", 0, 50, 1, 7).launch("b", 10, 20, 2, 8).launch("c", 45, 30, 3, 9);
  const Workload workload = must_read(trace);
  EXPECT_NEAR(75 * kUs, workload.busy.value(), 1e-12);  // 10 to 60, 20 to 40, 55 to 85
  std::vector<std::int32_t> streams;
  for (const StepEvent& event : workload.step.events) streams.push_back(event.stream);
  EXPECT_EQ((std::vector<std::int32_t>{0, 1, 2}), streams);
}

TEST(Kineto, AGraphLaunchHasManyKernelsUnderOneCall) {
  TraceBuilder trace;
  trace.step(1, 0, 100);
  trace.call("cudaGraphLaunch", 5, 10, 1);
  for (int i = 0; i < 20; ++i) trace.kernel("k", 20 + 3 * i, 2, 1);
  const Workload workload = must_read(trace);
  EXPECT_EQ(20, workload.kernel_launches);
  EXPECT_EQ(20, workload.kernels[0].launches);
  ASSERT_EQ(20u, workload.step.events.size());
  std::int64_t before = -1;
  for (const StepEvent& event : workload.step.events) {
    EXPECT_EQ(5'000, event.host_start);
    EXPECT_LT(before, event.device_start) << "the order on the device is kept";
    before = event.device_start;
  }
}

TEST(Kineto, KernelsWithoutLaunchesAreCounted) {
  TraceBuilder trace;
  trace.kernel("k", 10, 20, 0).kernel("k", 40, 20, 0);
  const Workload workload = must_read(trace);
  EXPECT_EQ(2, workload.kernel_launches);
  ASSERT_EQ(2u, workload.step.events.size());
  EXPECT_EQ(kUnknownTime, workload.step.events[0].host_start);
  EXPECT_NEAR(50 * kUs, workload.step_length.value(), 1e-12);
}

TEST(Kineto, CopiesAreToldApartByDirectionAndMemory) {
  TraceBuilder trace;
  trace.step(1, 0, 200).launch("k", 0, 5, 99);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 20, 10, 1, 1000);
  trace.copy("Memcpy HtoD (Pinned -> Device)", 40, 10, 2, 2000);
  trace.copy("Memcpy HtoD (Pinned -> Device)", 60, 10, 3, 3000);
  trace.copy("Memcpy DtoH (Device -> Pinned)", 80, 10, 4, 8);
  trace.copy("Memcpy DtoD (Device -> Device)", 90, 10, 5, 64);
  trace.copy("Memcpy PtoP (Device -> Device)", 100, 10, 6, 65);
  trace.raw(R"-({"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 7,)-"
            R"( "ts": 120, "dur": 2, "args": {"device": 0, "stream": 7, "bytes": 66}})");
  const Workload workload = must_read(trace);
  EXPECT_EQ(1, workload.kernel_launches);
  ASSERT_EQ(6u, workload.copies.size());
  const auto find = [&](CopyKind kind, bool pageable) {
    const auto copy = std::find_if(
        workload.copies.begin(), workload.copies.end(),
        [&](const DistinctCopy& c) { return c.kind == kind && c.pageable == pageable; });
    return copy == workload.copies.end() ? DistinctCopy{} : *copy;
  };
  EXPECT_EQ(1000, find(CopyKind::kHostToDevice, true).bytes.value());
  EXPECT_EQ(5000, find(CopyKind::kHostToDevice, false).bytes.value());
  EXPECT_EQ(2, find(CopyKind::kHostToDevice, false).count);
  EXPECT_EQ(8, find(CopyKind::kDeviceToHost, false).bytes.value());
  EXPECT_EQ(64, find(CopyKind::kDeviceToDevice, false).bytes.value());
  EXPECT_EQ(65, find(CopyKind::kPeer, false).bytes.value());
  EXPECT_EQ(66, find(CopyKind::kSet, false).bytes.value());
  EXPECT_EQ(8u, workload.step.events.size());
}

TEST(Kineto, SynchronisationsKnowWhatTheyWaitFor) {
  TraceBuilder trace;
  trace.step(1, 0, 200);
  trace.launch("long", 0, 100, 1, 7).launch("short", 10, 20, 2, 8);
  trace.call("cudaStreamSynchronize", 20, 22, 3);  // returns when `short` is done
  trace.call("cudaDeviceSynchronize", 50, 62, 4);  // returns when all is done
  trace.call("cudaEventSynchronize", 120, 2, 5);
  trace.call("cudaFree", 130, 2, 6);
  const Workload workload = must_read(trace);
  std::vector<StepEvent> syncs;
  for (const StepEvent& event : workload.step.events) {
    if (event.kind == EventKind::kSync) syncs.push_back(event);
  }
  ASSERT_EQ(3u, syncs.size());
  EXPECT_EQ(1, syncs[0].stream);
  EXPECT_EQ(-1, syncs[1].stream);
  EXPECT_EQ(0, syncs[2].stream);  // of the stream that ended last
  EXPECT_EQ(20'000, syncs[0].host_start);
  EXPECT_EQ(42'000, syncs[0].host_end);
}

TEST(Kineto, GradientsOfAConvolutionAreToldApart) {
  const std::string arguments =
      R"("Input Dims": [[8, 32, 14, 14], [8, 16, 14, 14], [32, 16, 3, 3], [0], [], [], [], [], [])"
      R"(, []], "Input type": ["float", "float", "float", "", "", "", "", "", "", ""],)"
      R"( "Concrete Inputs": ["", "", "", "[0]", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]",)"
      R"( "1"])";
  TraceBuilder trace;
  trace.op("aten::convolution_backward", 0, 100, 1, arguments);
  trace.launch("volta_scudnn_128x64_stridedB_small_nn_v1", 10, 20, 1);
  trace.launch("volta_scudnn_128x64_stridedB_splitK_small_nn_v1", 40, 20, 2);
  const Workload workload = must_read(trace);
  const auto pass = [&](std::string_view name) {
    return std::get<ConvShape>(kernel_named(workload, name).shape).pass;
  };
  EXPECT_EQ(ConvPass::kDataGradient, pass("volta_scudnn_128x64_stridedB_small_nn_v1"));
  EXPECT_EQ(ConvPass::kWeightGradient, pass("volta_scudnn_128x64_stridedB_splitK_small_nn_v1"));
}

TEST(Kineto, ReservedMemoryIsTheMostSeen) {
  TraceBuilder trace = two_steps();
  for (const char* bytes : {"1000", "5000", "2000"}) {
    trace.raw(std::string(R"({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "ts": 1,)"
                          R"( "args": {"Total Reserved": )") +
              bytes + "}}");
  }
  const Workload workload = must_read(trace);
  ASSERT_TRUE(workload.memory_reserved);
  EXPECT_EQ(5000, workload.memory_reserved->value());
}

TEST(Kineto, WithoutShapesAWarningSaysSo) {
  TraceBuilder trace;
  trace.step(1, 0, 100).op("aten::mm", 0, 50, 1).launch("k", 10, 10, 1);
  EXPECT_THAT(must_read(trace).warnings, Contains(HasSubstr("no tensor shapes were recorded")));
  EXPECT_THAT(must_read(two_steps()).warnings, Not(Contains(HasSubstr("no tensor shapes"))));
}

TEST(Kineto, TheDeviceIsNeverBusyForLongerThanTheStep) {
  TraceBuilder trace;
  for (int step = 0; step < 4; ++step) {
    trace.step(step, 400.0 * step, 400);
    // Longer than the step, on two streams in turn, so that the steps overlap on the device.
    trace.launch("k", 400.0 * step + 10, 900, step + 1, step % 2);
  }
  const Workload workload = must_read(trace);
  EXPECT_EQ(4, workload.steps);
  EXPECT_LE(workload.busy.value(), workload.step_length.value());
  for (const StepTime& step : workload.step_times)
    EXPECT_LE(step.busy.value(), step.length.value());
}

}  // namespace
}  // namespace uplift::read
