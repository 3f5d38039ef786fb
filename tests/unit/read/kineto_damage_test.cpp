// SPDX-License-Identifier: Apache-2.0
// Traces that profilers cut short, that hold what JSON forbids, or that somebody made up to do
// harm: each gives an answer that says what was left out, or one clear error, in bounded time.
#include "tests/unit/read/trace_builder.hpp"
#include "uplift/read/trace/kineto_workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <gmock/gmock.h>
#include <string>

namespace uplift::read {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string damage_warning(const Workload& workload) {
  for (const Warning& warning : workload.warnings) {
    if (warning.find("could not be read") != std::string::npos) return warning;
  }
  return "";
}

std::string kernel_event(const std::string& name, const std::string& times,
                         const std::string& arguments = "") {
  return fmt::format(R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7, {}, )"
                     R"("args": {{{}}}}})",
                     name, times, arguments);
}

Workload with(const std::string& event) {
  TraceBuilder trace;
  trace.kernel("good", 10, 20, 1).raw(event).kernel("good", 40, 20, 2);
  auto workload = trace.read();
  EXPECT_TRUE(workload) << event.substr(0, 200) << workload.error().line();
  if (!workload) return {};
  EXPECT_GE(workload->kernel_launches, 2) << event.substr(0, 200);
  EXPECT_TRUE(std::isfinite(workload->step_length.value()));
  EXPECT_GE(workload->step_length.value(), workload->busy.value());
  return *workload;
}

TEST(KinetoDamage, WhatCanBeRepairedIsRead) {
  for (const std::string& event :
       {kernel_event("nan", R"("ts": 100, "dur": 1)", R"("bandwidth": NaN, "x": -Infinity)"),
        kernel_event("tab\there", R"("ts": 100, "dur": 1)"),
        kernel_event("line\nbreak", R"("ts": 100, "dur": 1)"),
        kernel_event("bad\xff utf8", R"("ts": 100, "dur": 1)"),
        kernel_event(R"(C:\q)", R"("ts": 100, "dur": 1)")}) {
    const Workload workload = with(event);
    EXPECT_EQ(3, workload.kernel_launches) << event;
    EXPECT_EQ("", damage_warning(workload)) << event;
  }
}

TEST(KinetoDamage, WhatCannotBeReadIsCountedOnce) {
  for (const std::string& event :
       {std::string(R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 5 6, "dur": })"),
        kernel_event("k", R"("ts": "x", "dur": 1)"), kernel_event("k", R"("ts": NaN, "dur": 1)"),
        kernel_event("k", R"("dur": 1)"), kernel_event("k", R"("ts": 100, "dur": -1)"),
        kernel_event("k", R"("ts": 100, "dur": 1e300)"),
        kernel_event("k", R"("ts": 9223372036854775, "dur": 9223372036854775)")}) {
    const Workload workload = with(event);
    EXPECT_EQ(2, workload.kernel_launches) << event;
    EXPECT_THAT(damage_warning(workload), HasSubstr("1 of 3 events could not be read")) << event;
  }
}

// A run that has to be taken apart is not counted twice.
TEST(KinetoDamage, TwoDamagedEventsAreTwo) {
  TraceBuilder trace;
  trace.kernel("good", 10, 20, 1).raw(kernel_event("k", R"("ts": 100, "dur": -1)"));
  trace.raw(kernel_event("k", R"("ts": 100, "dur": )"));
  auto workload = trace.read();
  ASSERT_TRUE(workload);
  EXPECT_EQ("2 of 3 events could not be read and were left out", damage_warning(*workload));
}

TEST(KinetoDamage, StrayValuesBetweenEventsAreSkipped) {
  for (const char* stray : {"17", "null", "\"text\"", "[1, [2, {}]]", "{}", "[]"}) {
    EXPECT_EQ(2, with(stray).kernel_launches) << stray;
  }
}

TEST(KinetoDamage, OddTypesDoNoHarm) {
  for (const std::string& event :
       {kernel_event("k", R"("ts": 100)", R"("grid": "80", "block": null, "stream": [1])"),
        kernel_event("k", R"("ts": 100, "dur": "5")", R"("correlation": "x", "device": {})"),
        kernel_event("k", R"("ts": 100, "dur": 5)",
                     R"("grid": [2147483647, 2147483647, 2147483647], "block": [-1, 0, 1e9],)"
                     R"( "registers per thread": 99999999999, "shared memory": -5)"),
        kernel_event("k", R"("ts": 100, "dur": 5)",
                     R"("grid": [2147483647, 65535, 65535], "block": [1024, 1024, 64],)"
                     R"( "stream": 99999999999999, "External id": -9223372036854775808)"),
        std::string(R"({"ph": ["X"], "cat": {"a": 1}, "name": 5, "ts": {}, "args": 7})"),
        std::string(
            R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 100, "dur": 1, "args": []})"),
        std::string(R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 9, "dur": 90,)"
                    R"( "args": {"Input Dims": "[[1]]", "Input type": 5, "External id": 1.5}})")}) {
    const Workload workload = with(event);
    for (const DistinctKernel& kernel : workload.kernels) {
      EXPECT_GE(kernel.launch.blocks(), 0) << event;
      EXPECT_GE(kernel.launch.threads_per_block(), 0) << event;
    }
  }
}

TEST(KinetoDamage, TimesAtTheEndsOfTheClockDoNotOverflow) {
  for (const char* times :
       {R"("ts": -9223372036854775, "dur": 1)", R"("ts": 9223372036854774, "dur": 0.5)",
        R"("ts": -9223372036854775, "dur": 9223372036854775)",
        R"("ts": 4611686018427387, "dur": 1)", R"("ts": 100, "dur": 9223372036854775)"}) {
    const Workload workload = with(kernel_event("far", times));
    for (const DistinctKernel& kernel : workload.kernels) EXPECT_GE(kernel.total.value(), 0);
    EXPECT_GE(workload.busy.value(), 0) << times;
  }
}

TEST(KinetoDamage, DeepNestingIsPassedOver) {
  for (const std::size_t depth : {1'000, 10'000, 100'000}) {
    const std::string nest = std::string(depth, '[') + std::string(depth, ']');
    for (const std::string& event :
         {kernel_event("k", R"("ts": 100, "dur": 1)", "\"x\": " + nest),
          kernel_event("k", R"("ts": 100, "dur": 1)", "\"grid\": " + nest),
          R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 9, "dur": 90, "args": )"
          R"({"Input Dims": )" +
              nest + "}}",
          "{\"x\": " + nest + "}", nest}) {
      with(event);
    }
    TraceBuilder trace;
    trace.kernel("k", 1, 2, 3).device(nest);
    EXPECT_TRUE(trace.read());
  }
}

TEST(KinetoDamage, DevicePropertiesOfAnyShapeAreRead) {
  for (const char* device :
       {"5", "null", R"({"id": -1, "name": 7})", R"({"id": 99999999999, "name": "x"})",
        R"({"id": 0, "name": "Tesla T4", "totalGlobalMem": 1.5e10, "numSms": NaN})", "{}"}) {
    TraceBuilder trace;
    trace.kernel("k", 1, 2, 3).device(device);
    EXPECT_TRUE(trace.read()) << device;
  }
}

TEST(KinetoDamage, UselessTracesSayWhy) {
  const auto line = [](const TraceBuilder& trace) {
    auto workload = trace.read();
    return workload ? std::string("read") : workload.error().line();
  };
  EXPECT_EQ(
      "trace.json: holds no profiler events; give the file that torch.profiler's "
      "export_chrome_trace wrote",
      line(TraceBuilder()));
  // Text that happens to start with a bracket is no list of events.
  MemorySource prose("[a link](to.md) and more");
  auto read = read_kineto(prose, "README.md");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().line(), HasSubstr("is not a profiler trace"));
  TraceBuilder cpu;
  cpu.op("aten::mm", 0, 10, 1);
  EXPECT_THAT(line(cpu), HasSubstr("no GPU kernels among 1 events"));
  TraceBuilder counters;
  counters.raw(R"({"ph": "X", "cat": "cuda_profiler_range", "name": "k", "ts": 1, "dur": 1})");
  EXPECT_THAT(line(counters), HasSubstr("performance counters (cuda_profiler_range)"));
  TraceBuilder amd;
  amd.device(R"({"id": 0, "name": "AMD Instinct MI300X"})").kernel("k", 1, 2, 3);
  EXPECT_THAT(line(amd), HasSubstr("of AMD Instinct MI300X; uplift reads NVIDIA recordings only"));
  TraceBuilder unnamed;
  unnamed.kernel("Cijk_Alik_Bljk_SB_MT64x16x32", 1, 2, 3);
  EXPECT_THAT(line(unnamed), HasSubstr("an AMD GPU"));
}

TEST(KinetoDamage, TracesWithoutAnyTimeAreUseless) {
  TraceBuilder trace;
  trace.kernel("k", 5, 0, 1);
  auto workload = trace.read();
  ASSERT_FALSE(workload);
  EXPECT_THAT(workload.error().line(), HasSubstr("no duration"));
}

TEST(KinetoDamage, ATraceCutAnywhereGivesItsWholeKernelsOrAnError) {
  TraceBuilder trace;
  trace.step(1, 0, 100).launch("k", 10, 20, 1).launch("k", 40, 20, 2);
  const std::string text = trace.text();
  const std::string kernel = R"("cat": "kernel")";
  const auto end_of_event = [&](std::size_t from) { return text.find("}}", from) + 2; };
  const std::size_t first = end_of_event(text.find(kernel));
  const std::size_t second = end_of_event(text.rfind(kernel));
  for (std::size_t length = 1; length < text.size(); ++length) {
    MemorySource source(text.substr(0, length));
    auto workload = read_kineto(source, "trace.json");
    if (length < first) {
      ASSERT_FALSE(workload) << length;
      EXPECT_THAT(workload.error().line(), HasSubstr("cut off before its end"));
      continue;
    }
    ASSERT_TRUE(workload) << length << workload.error().line();
    EXPECT_EQ(length < second ? 1 : 2, workload->kernel_launches) << length;
    EXPECT_EQ(length, workload->recording.cut_at);
    EXPECT_THAT(workload->warnings,
                Contains(HasSubstr("breaks off at byte " + std::to_string(length))));
  }
}

TEST(KinetoDamage, OfACutTraceOnlyWholeStepsCount) {
  TraceBuilder trace;
  for (int step = 0; step < 4; ++step) {
    trace.step(step, 1000.0 * step, 900);
    for (int i = 0; i < 40; ++i) trace.launch("k", 1000.0 * step + 20 * i, 10, 100 * step + i + 1);
  }
  const std::string text = trace.text();
  MemorySource source(text.substr(0, text.size() - 1500));  // about three launches
  auto workload = read_kineto(source, "trace.json");
  ASSERT_TRUE(workload) << workload.error().line();
  EXPECT_EQ(3, workload->steps);
  EXPECT_THAT(workload->warnings, Contains(HasSubstr("1 marked step was left out")));
}

// Profilers write operators first, then calls and kernels, so every step may lack the same part.
TEST(KinetoDamage, StepsThatMayLackHalfAreNotCalledWhole) {
  TraceBuilder trace;
  for (int step = 0; step < 3; ++step) {
    trace.step(step, 1000.0 * step, 900);
    for (int i = 0; i < 20; ++i) trace.op("aten::mm", 1000.0 * step + 20 * i, 15);
    for (int i = 0; i < 20; ++i) {
      trace.raw(fmt::format(R"({{"ph": "X", "cat": "cpu_op", "name": "backward", "pid": 1, )"
                            R"("tid": 2, "ts": {}, "dur": 10}})",
                            1000.0 * step + 500 + 20 * i));
    }
  }
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < 20; ++i) trace.launch("k", 1000.0 * step + 20 * i, 10, 100 * step + i + 1);
  }
  const std::string text = trace.text();
  MemorySource cut(text.substr(0, text.size() - 2));  // the calls of the second thread never come
  auto workload = read_kineto(cut, "trace.json");
  ASSERT_TRUE(workload) << workload.error().line();
  EXPECT_FALSE(workload->recording.steps_whole);
  EXPECT_THAT(workload->warnings, Contains(HasSubstr("no step is shown to be whole")));
  // Where all events stand before the break, nothing is missing.
  MemorySource behind(text.substr(0, text.size() - 1));
  workload = read_kineto(behind, "trace.json");
  ASSERT_TRUE(workload) << workload.error().line();
  EXPECT_TRUE(workload->recording.steps_whole);
  EXPECT_EQ(3, workload->steps);
}

TEST(KinetoDamage, NamesWithRawQuotesAndBackslashesAreRead) {
  for (const char* name : {R"(say "hello")", R"(5" disk)", R"(C:\dir\)", R"(a {"b"} [c)"}) {
    const Workload workload = with(kernel_event(name, R"("ts": 100, "dur": 1)"));
    EXPECT_EQ(3, workload.kernel_launches) << name;
    EXPECT_EQ("", damage_warning(workload)) << name;
    EXPECT_TRUE(std::any_of(workload.kernels.begin(), workload.kernels.end(),
                            [&](const DistinctKernel& kernel) { return kernel.name == name; }))
        << name;
  }
}

double seconds_to_read(const TraceBuilder& trace) {
  MemorySource source(trace.text());
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(read_kineto(source, "trace.json"));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Each of these took minutes if anything were quadratic.
TEST(KinetoDamage, ManySynchronisationsInOneStepTakeNoLongTime) {
  TraceBuilder trace;
  for (int i = 0; i < 40'000; ++i) {
    trace.launch("k", 100.0 * i, 20, i + 1, i % 16);
    trace.call("cudaStreamSynchronize", 100.0 * i + 50, 5, 1'000'000 + i);
  }
  EXPECT_LT(seconds_to_read(trace), 10);
}

TEST(KinetoDamage, ManyNestedOperatorsAndStepsTakeNoLongTime) {
  TraceBuilder trace;
  for (int i = 0; i < 30'000; ++i) trace.op("aten::mm", i, 1e6, i + 1);
  for (int i = 0; i < 30'000; ++i) trace.launch("k" + std::to_string(i), 1e6 + i, 1, i + 1);
  for (int i = 0; i < 10'000; ++i) trace.step(i, 1e6 + 3 * i, 3);
  EXPECT_LT(seconds_to_read(trace), 10);
}

}  // namespace
}  // namespace uplift::read
