// SPDX-License-Identifier: Apache-2.0
// A whole inspection of a hand-made step: what it finds, and that its sections agree.
#include "uplift/decide/inspect.hpp"

#include "tests/unit/hand_made_step.hpp"
#include "uplift/decide/findings.hpp"
#include "uplift/predict/step_savings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <gmock/gmock.h>

namespace uplift::decide {
namespace {

using hand_made::StepBuilder;
using ::testing::HasSubstr;

const catalog::Catalog& boards() {
  static const catalog::Catalog kCatalog = catalog::Catalog::load().value();
  return kCatalog;
}

const predict::Parameters& parameters() {
  static const predict::Parameters kParameters = model::load_parameters().value();
  return kParameters;
}

/// A blocking copy of 10 MB, a product in FP32 and a sum, then a synchronisation.
Workload small_job(const char* gpu = "NVIDIA H200") {
  StepBuilder step;
  step.copy(CopyKind::kHostToDevice, true, 0, 1012, 10, 1010, 10'000'000);
  step.kernel(1020, 1030, 4030, KernelClass::kGemm, 0, "aten::mm");
  step.kernel(1026, 4031, 4531);
  step.sync(1032, 4533);
  step.workload.kernels[0].math = Math::kFp32;
  step.workload.kernels[0].shape = GemmShape{1, 4096, 4096, 4096};
  Workload workload = step.of(4540);
  workload.devices = {{gpu, 132, 9, 0, 0}};
  workload.step_times = {{Seconds(4.5e-3), Seconds(4e-3)}, {Seconds(4.6e-3), Seconds(4e-3)}};
  workload.device_activity = {{0, 2, 1, Seconds(3.5e-3), Seconds(0)},
                              {1, 7, 2, Seconds(1e-3), Seconds(1e-4)}};
  return workload;
}

std::vector<Change> changes(const Inspection& inspection) {
  std::vector<Change> list;
  for (const Finding& finding : inspection.findings) list.push_back(finding.change);
  return list;
}

TEST(Inspect, FindsWhatToChangeAndWhatItIsWorth) {
  const auto inspection = inspect(small_job(), {}, boards(), parameters());
  ASSERT_TRUE(inspection);
  EXPECT_EQ("h200-sxm-141gb", inspection->source.gpu);
  const auto found = changes(*inspection);
  for (const Change change : {Change::kAmpBf16, Change::kTf32, Change::kOverlap}) {
    EXPECT_EQ(1, std::count(found.begin(), found.end(), change)) << word(change);
  }
  EXPECT_EQ(0, std::count(found.begin(), found.end(), Change::kCommOverlap));
  const auto overlap =
      std::find_if(inspection->findings.begin(), inspection->findings.end(),
                   [](const Finding& finding) { return finding.change == Change::kOverlap; });
  EXPECT_NEAR(1e-3, overlap->saved_seconds.predicted, 0.03e-3);
  EXPECT_THAT(overlap->seen, HasSubstr("1 copy from the host (10.0 MB) holds up the kernels"));
  EXPECT_THAT(overlap->action, HasSubstr("pin_memory=True"));
}

TEST(Inspect, SaysWhoAskedForIt) {
  Workload workload = small_job();
  workload.stacks = {{FrameKind::kModule, "Net_0", -1, 2, Seconds(3.5e-3)},
                     {FrameKind::kOp, "aten::copy_", 0, 0, Seconds(0)}};
  workload.step.events[0].frame = 1;
  const auto inspection = inspect(workload, {}, boards(), parameters());
  ASSERT_TRUE(inspection);
  const auto overlap =
      std::find_if(inspection->findings.begin(), inspection->findings.end(),
                   [](const Finding& finding) { return finding.change == Change::kOverlap; });
  ASSERT_NE(overlap, inspection->findings.end());
  EXPECT_THAT(overlap->seen, HasSubstr("asked for in Net_0 / aten::copy_"));
}

TEST(Inspect, SectionsAgreeWithEachOther) {
  const auto inspection = inspect(small_job(), {}, boards(), parameters());
  ASSERT_TRUE(inspection);
  double classes = 0;
  double bounds = 0;
  for (const ClassTime& time : inspection->classes) {
    classes += time.seconds;
    for (const double part : time.seconds_by_bound.value()) bounds += part;
  }
  double shares = 0;
  for (const KernelFacts& kernel : inspection->kernels) shares += kernel.share;
  double ops = 0;
  for (const PlaceTime& op : inspection->ops) ops += op.seconds;
  EXPECT_NEAR(3.5e-3, inspection->kernel_seconds, 1e-12);
  EXPECT_NEAR(inspection->kernel_seconds, classes, 1e-12);
  EXPECT_NEAR(inspection->kernel_seconds, bounds, 1e-12);
  EXPECT_NEAR(inspection->kernel_seconds, ops, 1e-12);
  EXPECT_NEAR(1, shares, 1e-12);
}

TEST(Inspect, FormatsSayWhatTensorCoresCouldTake) {
  const auto inspection = inspect(small_job(), {}, boards(), parameters());
  ASSERT_TRUE(inspection);
  EXPECT_NEAR(3e-3, inspection->formats.matrix_seconds, 1e-12);
  EXPECT_EQ(0, inspection->formats.tensor_core_seconds.value());
  EXPECT_NEAR(3e-3, inspection->formats.convertible_seconds.value(), 1e-12);
}

TEST(Inspect, GpusAndStepSpreadAreTold) {
  const auto inspection = inspect(small_job(), {}, boards(), parameters());
  ASSERT_TRUE(inspection && inspection->spread);
  EXPECT_EQ(4.5e-3, inspection->spread->shortest_seconds);
  EXPECT_EQ(4.6e-3, inspection->spread->longest_seconds);
  ASSERT_EQ(2U, inspection->gpus.size());
  EXPECT_TRUE(inspection->gpus[0].told);
  EXPECT_EQ("", inspection->gpus[1].name);
  EXPECT_EQ(1e-4, inspection->gpus[1].collective_seconds);
}

TEST(Inspect, AnUnknownCardGivesNoBoundsAndAWarning) {
  for (const char* name : {"", "NVIDIA Imaginary X1"}) {
    const auto inspection = inspect(small_job(name), {}, boards(), parameters());
    ASSERT_TRUE(inspection);
    EXPECT_FALSE(inspection->source.gpu);
    EXPECT_THAT(inspection->workload.warnings.back(),
                HasSubstr("no bounds and no rates are told; "));
    EXPECT_THAT(inspection->workload.warnings.back(), HasSubstr("--from"));
    EXPECT_FALSE(inspection->classes[0].seconds_by_bound);
    EXPECT_FALSE(inspection->kernels[0].bound);
    EXPECT_FALSE(inspection->kernels[0].dram_bytes);
    EXPECT_FALSE(inspection->formats.tensor_core_seconds);
    const auto found = changes(*inspection);
    EXPECT_EQ(0, std::count(found.begin(), found.end(), Change::kTf32));
    EXPECT_EQ(1, std::count(found.begin(), found.end(), Change::kOverlap));
  }
}

TEST(Inspect, FromNamesTheCard) {
  InspectRequest request;
  request.from = "v100-sxm2-32gb";
  const auto inspection = inspect(small_job(""), request, boards(), parameters());
  ASSERT_TRUE(inspection);
  EXPECT_EQ("v100-sxm2-32gb", inspection->source.gpu);
  const auto found = changes(*inspection);
  EXPECT_EQ(1, std::count(found.begin(), found.end(), Change::kAmpFp16)) << "a V100 has no BF16";
  request.from = "z9000";
  EXPECT_EQ(ErrorKind::kNotFound,
            inspect(small_job(), request, boards(), parameters()).error().kind);
}

/// Ten kernels, each of which waits 100 us for its launch.
Workload launch_bound_job() {
  StepBuilder step;
  for (int i = 0; i < 10; ++i) step.kernel(100 * i, 100 * i + 10, 100 * i + 30);
  Workload workload = step.of(1000);
  workload.devices = {{"NVIDIA H200", 132, 9, 0, 0}};
  return workload;
}

TEST(Inspect, StretchesAtTheHostsPaceAreToldByLength) {
  const auto inspection = inspect(launch_bound_job(), {}, boards(), parameters());
  ASSERT_EQ(1U, inspection->findings.size());
  EXPECT_EQ(Change::kGraphs, inspection->findings[0].change);
  EXPECT_THAT(inspection->findings[0].seen,
              HasSubstr("9 of 10 kernels run at the host's pace (in stretches of three or more), "
                        "longest stretch: 9 kernels in 900 µs"));
  EXPECT_THAT(inspection->source.host_note, HasSubstr("time it once without the profiler"));
}

TEST(Inspect, StartUpAndUnknownLaunchesAreNoGraph) {
  Workload unmarked = launch_bound_job();
  unmarked.steps = 0;
  EXPECT_TRUE(inspect(unmarked, {}, boards(), parameters())->findings.empty());
  Workload unlinked = launch_bound_job();
  for (std::size_t i = 0; i < 6; ++i) {
    unlinked.step.events[i].host_start = unlinked.step.events[i].host_end = kUnknownTime;
  }
  EXPECT_TRUE(inspect(unlinked, {}, boards(), parameters())->findings.empty());
}

TEST(Inspect, NextToNothingIsNoFindingWhateverItCouldBe) {
  // Launches every 100 us and kernels of 94: the host is late as recorded, and not without the
  // profiler. Then graphs save nothing, though they might save 5.5 %.
  StepBuilder step;
  for (int i = 0; i < 10; ++i) step.kernel(100 * i, 100 * i + 10, 100 * i + 104);
  Workload workload = step.of(1000);
  const predict::Saving saving = predict::StepSavings(workload, parameters()).by_graphs();
  EXPECT_LT(saving.predicted.value(), kLeastWithHope * 1e-3);
  EXPECT_GT(saving.high.value(), kLeastHope * 1e-3);
  EXPECT_TRUE(inspect(workload, {}, boards(), parameters())->findings.empty());
}

TEST(Inspect, AHostHeldInASynchronisationExplainsTheSaving) {
  // 500 us of host work, 500 us of kernels behind it, and the host waits for them.
  StepBuilder step;
  step.kernel(495, 505, 1005);
  step.sync(500, 1005);
  const auto inspection = inspect(step.of(1006), {}, boards(), parameters());
  ASSERT_FALSE(inspection->findings.empty());
  EXPECT_EQ(Change::kNoSync, inspection->findings[0].change);
  EXPECT_THAT(inspection->findings[0].seen, HasSubstr("the host is held in it for 505 µs"));
}

TEST(Inspect, AnotherCardThanTheRecordedOneIsWarnedAbout) {
  InspectRequest request;
  request.from = "p4";
  const auto other = inspect(small_job(), request, boards(), parameters());
  EXPECT_THAT(
      other->workload.warnings,
      ::testing::ElementsAre("the recording names NVIDIA H200; taken as p4 as --from says"));
  request.from = "h200-sxm-141gb";
  EXPECT_TRUE(inspect(small_job(), request, boards(), parameters())->workload.warnings.empty());
  request.from = "p4";
  EXPECT_TRUE(inspect(small_job(""), request, boards(), parameters())->workload.warnings.empty());
}

TEST(Inspect, AReplayThatMissesTheStepIsNoted) {
  Workload workload = small_job();
  EXPECT_TRUE(inspect(workload, {}, boards(), parameters())->source.notes.empty());
  workload.step_length = workload.step_length * 1.25;
  EXPECT_THAT(inspect(workload, {}, boards(), parameters())->source.notes,
              ::testing::ElementsAre(HasSubstr("replaying the recorded step gives 80 %")));
}

TEST(Inspect, AGraphIsNotToldToBecomeOne) {
  StepBuilder step;
  for (int i = 0; i < 20; ++i) step.kernel(0, 10 + 30 * i, 20 + 30 * i);
  Workload workload = step.of(610);
  workload.devices = {{"NVIDIA H200", 132, 9, 0, 0}};
  const auto inspection = inspect(workload, {}, boards(), parameters());
  ASSERT_TRUE(inspection);
  EXPECT_TRUE(inspection->findings.empty());
}

}  // namespace
}  // namespace uplift::decide
