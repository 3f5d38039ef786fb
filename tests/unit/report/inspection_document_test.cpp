// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/inspection_document.hpp"

#include "uplift/report/inspection_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>

namespace uplift::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// 10 ms of a step, half of it kernels, on a card that is not known.
Inspection half_idle() {
  Inspection inspection;
  inspection.workload = {"pytorch-trace", "PyTorch", 2, 20, 1, {}};
  inspection.source.step_seconds = 0.010;
  inspection.source.gpu_busy_share = 0.5;
  inspection.source.floor_seconds = 0.008;
  inspection.timeline.length = Seconds(0.010);
  inspection.timeline.parts[static_cast<std::size_t>(StepPart::kCompute)] = Seconds(0.005);
  inspection.timeline.parts[static_cast<std::size_t>(StepPart::kHost)] = Seconds(0.005);
  inspection.timeline.kernels = 10;
  inspection.timeline.streams = 1;
  inspection.kernel_seconds = 0.005;
  inspection.classes = {{KernelClass::kGemm, 10, 0.005, std::nullopt}};
  KernelFacts kernel;
  kernel.name = "sgemm";
  kernel.op = "aten::mm";
  kernel.kernel_class = KernelClass::kGemm;
  kernel.launches_per_step = 10;
  kernel.launch_seconds = 0.0005;
  kernel.seconds = 0.005;
  kernel.share = 1;
  inspection.kernels = {kernel};
  return inspection;
}

std::string text(const Inspection& inspection, bool color = false, int width = 80) {
  return render_text(inspection_document(inspection, 10), {color, width});
}

TEST(InspectionDocument, WhatAGpuCouldChangeStandsFirst) {
  const std::string first = text(half_idle(), false, 400);
  EXPECT_TRUE(
      first.starts_with("A faster GPU could change 20.0 % of the step of 10.0 ms: the host "
                        "alone needs 8.00 ms, so at most 1.25×.\n\nPyTorch recording, "));
  EXPECT_THAT(first, HasSubstr("The GPU is busy 50.0 % of the time."));
}

TEST(InspectionDocument, AStepAtTheHostsPaceSaysSo) {
  Inspection inspection = half_idle();
  inspection.source.floor_seconds = 0.00999;
  EXPECT_THAT(text(inspection, false, 400),
              HasSubstr("No GPU could make the step of 10.0 ms noticeably shorter"));
  inspection.source.floor_seconds = 0;
  EXPECT_THAT(text(inspection, false, 400),
              HasSubstr("Nothing in the step of 10.0 ms holds a faster GPU back."));
}

TEST(InspectionDocument, AHostBoundStepIsToldToBeTheProfilers) {
  Inspection inspection = half_idle();
  inspection.source.host_note = "profilers lengthen the host's work";
  const std::string out = text(inspection, false, 400);
  EXPECT_TRUE(out.starts_with("Under the profiler, a faster GPU could change 20.0 % of"));
  EXPECT_THAT(out, HasSubstr("Profilers lengthen the host's work; time a step without one."));
  EXPECT_THAT(out, Not(HasSubstr("Note:")));
  const auto json = nlohmann::json::parse(inspection_json(inspection));
  EXPECT_EQ(inspection.source.host_note, json["source"]["notes"][0]);
}

TEST(InspectionDocument, WarningsAreNotesUnlessWhatIsMissingSaysIt) {
  Inspection inspection = half_idle();
  inspection.workload.warnings = {"the card is not known; name it", "no shapes; record shapes"};
  inspection.missing = {{"shapes", "record shapes"}};
  const std::string out = text(inspection);
  EXPECT_THAT(out, HasSubstr("Note: the card is not known; name it."));
  EXPECT_THAT(out, Not(HasSubstr("Note: no shapes")));
}

TEST(InspectionDocument, TimesSayWhatTheyAreOf) {
  Inspection inspection = half_idle();
  inspection.timeline.name = "ProfilerStep#3";
  inspection.findings = {{Change::kOverlap, {0.004, 0.003, 0.0045}, "seen", "to do"}};
  std::string out = text(inspection, false, 400);
  EXPECT_THAT(out, HasSubstr("ProfilerStep#3, the step nearest the median: 10.0 ms"));
  EXPECT_THAT(out, HasSubstr("Kernel time by class, mean of 2 steps: 5.00 ms"));
  EXPECT_THAT(out, HasSubstr("saves of a step without the profiler"));
  inspection.workload.steps = 0;
  out = text(inspection, false, 400);
  EXPECT_THAT(out, HasSubstr("start-up included"));
  EXPECT_THAT(out, Not(HasSubstr("mean of")));
}

TEST(InspectionDocument, PlacesThatAreLeftOutAreCounted) {
  Inspection inspection = half_idle();
  // 2.5 ms, of it 0.05 and 0.04 below what has a row; 0.05 ms in a place of its own; the rest.
  inspection.modules = {{"Net_0", 0, 5, 2.5e-3},
                        {"A_0", 1, 1, 0.05e-3},
                        {"B_0", 2, 1, 0.04e-3},
                        {"Loss_0", 0, 1, 0.05e-3},
                        {"", 0, 1, 0.01e-3}};
  const std::string out = text(inspection);
  EXPECT_THAT(out, HasSubstr("(none)"));
  EXPECT_THAT(out, HasSubstr("… 3 more, 2.0 % (what is inside a row above is counted there, too)"));
  EXPECT_THAT(out, Not(HasSubstr("Loss_0")));
}

TEST(InspectionDocument, SetsNeedNoReason) {
  Inspection inspection = half_idle();
  CopyFacts set;
  set.kind = CopyKind::kSet;
  set.use.count = 1;
  set.use.total = set.use.exposed = Seconds(1e-6);
  set.use.on_kernel_stream = true;
  inspection.copies = {set};
  EXPECT_THAT(text(inspection), Not(HasSubstr("kernels' stream")));
  inspection.copies[0].kind = CopyKind::kHostToDevice;
  EXPECT_THAT(text(inspection), HasSubstr("kernels' stream"));
}

TEST(InspectionDocument, PartsOfTheStepAreBarsInToneOfTheirMeaning) {
  EXPECT_THAT(text(half_idle()), HasSubstr("kernels                   5.00 ms  50.0 %  ████████"));
  EXPECT_THAT(text(half_idle(), true), HasSubstr("\x1b[31m████████████████\x1b[0m"));
}

TEST(InspectionDocument, FindingsStandBeforeTables) {
  Inspection inspection = half_idle();
  inspection.findings = {
      {Change::kGraphs, {0.004, 0.003, 0.0045}, "the GPU waits", "run the step as a graph"}};
  const std::string out = text(inspection);
  EXPECT_THAT(out, HasSubstr("graphs: the GPU waits. To do: run the step as a graph."));
  EXPECT_LT(out.find("graphs"), out.find("Kernel time by class"));
  EXPECT_THAT(text(half_idle()), HasSubstr("Nothing was found to change"));
}

TEST(InspectionDocument, AnUnknownCardHasNoBoundColumns) {
  EXPECT_THAT(text(half_idle()), Not(HasSubstr("memory")));
  Inspection inspection = half_idle();
  inspection.source.gpu = "h200-sxm-141gb";
  EXPECT_THAT(text(inspection), HasSubstr("memory"));
}

TEST(InspectionDocument, NoLineIsWiderThanTheTerminal) {
  Inspection inspection = half_idle();
  inspection.source.gpu = "h200-sxm-141gb";
  inspection.kernels[0].name = std::string(300, 'x');
  inspection.modules = {{std::string(200, 'm'), 0, 10, 0.005}, {"inner", 1, 10, 0.005}};
  std::size_t start = 0;
  const std::string out = text(inspection);
  for (std::size_t end = out.find('\n'); end != std::string::npos; end = out.find('\n', start)) {
    std::size_t columns = 0;
    for (std::size_t i = start; i < end; ++i) {
      columns += (static_cast<unsigned char>(out[i]) & 0xC0U) != 0x80U;
    }
    EXPECT_LE(columns, 80U) << out.substr(start, end - start);
    start = end + 1;
  }
  EXPECT_THAT(out, HasSubstr("  inner"));
}

TEST(InspectionJson, UnknownIsNullWithTheKeyPresent) {
  const auto json = nlohmann::json::parse(inspection_json(half_idle()));
  EXPECT_EQ("uplift.inspect/1", json["schema"]);
  EXPECT_TRUE(json["source"]["gpu"].is_null());
  EXPECT_TRUE(json["source"]["shortest_step_seconds"].is_null());
  EXPECT_TRUE(json["kernels"][0]["bound"].is_null());
  EXPECT_TRUE(json["kernels"][0]["dram_bytes"]["low"].is_null());
  EXPECT_TRUE(json["classes"][0]["seconds_by_bound"].is_null());
  EXPECT_NEAR(0.2, 1 - json["source"]["unchangeable_share"].get<double>(), 1e-12);
}

}  // namespace
}  // namespace uplift::report
