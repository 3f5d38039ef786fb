// SPDX-License-Identifier: Apache-2.0
// Savings worked out by hand on steps of a few events; times in microseconds.
#include "uplift/predict/step_savings.hpp"

#include "tests/unit/hand_made_step.hpp"
#include "uplift/catalog/catalog.hpp"
#include "uplift/predict/step_timeline.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

using hand_made::StepBuilder;

double us(Seconds time) { return time.value() * 1e6; }

const model::Parameters& parameters() {
  static const model::Parameters kParameters = model::load_parameters().value();
  return kParameters;
}

model::GpuModel card(const char* id) {
  static const catalog::Catalog kCatalog = catalog::Catalog::load().value();
  return model::build_gpu_model(*kCatalog.find(id), model::Basis::kPublished, parameters()).value();
}

/// The host copies 10 MB for 1000 us and waits for it, then launches 1000 us of kernels and waits.
StepBuilder blocking_step() {
  StepBuilder step;
  step.copy(CopyKind::kHostToDevice, true, 0, 1012, 10, 1010, 10'000'000);
  step.kernel(1020, 1030, 1530);
  step.kernel(1025, 1530, 2030);
  step.sync(1032, 2032);
  return step;
}

TEST(StepSavings, APrefetchedCopyCostsItsCallAlone) {
  StepBuilder step = blocking_step();
  const Workload& workload = step.of(2040);
  const auto model = card("h200-sxm-141gb");
  const StepTimeline timeline = describe_timeline(workload);
  const Saving saving = StepSavings(workload, parameters()).by_prefetch(timeline, &model);
  // Of the call's 1012 us its usual length is left: at most three times the 5 us of a launch.
  EXPECT_NEAR(1000, us(saving.predicted), 15);
  EXPECT_LE(saving.low, saving.predicted);
  EXPECT_GE(saving.high, saving.predicted);
}

TEST(StepSavings, ThePinnedCopyIsALowerBoundOfTheStep) {
  // 10 MB at the pinned rate of an H200's PCIe 5.0 x16 (50 GB/s) are 198 us: more than the kernel.
  StepBuilder step;
  step.copy(CopyKind::kHostToDevice, true, 0, 1012, 10, 1010, 10'000'000);
  step.kernel(1020, 1030, 1050);
  step.sync(1026, 1052);
  const Workload& workload = step.of(1060);
  const auto model = card("h200-sxm-141gb");
  const Saving saving =
      StepSavings(workload, parameters()).by_prefetch(describe_timeline(workload), &model);
  EXPECT_NEAR(1060 - 198, us(saving.predicted), 12);
}

TEST(StepSavings, AHiddenCopyHasNothingToGive) {
  StepBuilder step;
  step.kernel(0, 10, 1000);
  step.copy(CopyKind::kHostToDevice, false, 6, 12, 20, 500, 10'000'000, 1);
  const Workload& workload = step.of(1000);
  const auto model = card("h200-sxm-141gb");
  const Saving saving =
      StepSavings(workload, parameters()).by_prefetch(describe_timeline(workload), &model);
  EXPECT_NEAR(0, us(saving.predicted), 1e-6);
}

TEST(StepSavings, GraphsLeaveTheKernels) {
  // A launch every 100 us, kernels of 20 us: ten of them and 0.5 us between them are left.
  StepBuilder step;
  for (int i = 0; i < 10; ++i) step.kernel(100 * i, 100 * i + 10, 100 * i + 30);
  const Saving saving = StepSavings(step.of(1000), parameters()).by_graphs();
  // Without a profiler the host needs 0.66 of that, or half; at most what it was recorded with.
  EXPECT_NEAR(660 - 10 * 20.5, us(saving.predicted), 20);
  EXPECT_NEAR(500 - 10 * 20.5, us(saving.low), 25);
  EXPECT_NEAR(1000 - 10 * 20.5, us(saving.high), 50);
}

TEST(StepSavings, WithoutASynchronisationTheHostRunsAhead) {
  // 500 us of host work, 500 us of kernels, and the host waits for them before the next step.
  StepBuilder step;
  step.kernel(495, 505, 1005);
  step.sync(500, 1005);
  const Saving saving = StepSavings(step.of(1006), parameters()).by_not_waiting();
  EXPECT_NEAR(0.66 * 500, us(saving.predicted), 20);
}

TEST(StepSavings, MatrixWorkInTf32) {
  StepBuilder step;
  step.kernel(0, 10, 10'010, KernelClass::kGemm);
  step.sync(6, 10'010);
  step.workload.kernels[0].math = Math::kFp32;
  step.workload.kernels[0].shape = GemmShape{1, 8192, 4096, 4096};
  const Workload& workload = step.of(10'010);
  const auto h200 = card("h200-sxm-141gb");
  const StepSavings savings(workload, parameters());
  const Saving saving = savings.by_format(Math::kTf32, h200);
  EXPECT_GT(us(saving.predicted), 5'000);
  EXPECT_LT(us(saving.predicted), 10'000);
  EXPECT_TRUE(is_reformattable(workload.kernels[0], Math::kTf32, h200));
  EXPECT_FALSE(is_reformattable(workload.kernels[0], Math::kTf32, card("v100-sxm2-32gb")));
  EXPECT_TRUE(is_reformattable(workload.kernels[0], Math::kFp16, card("v100-sxm2-32gb")));
}

TEST(StepSavings, CollectivesAreHiddenUnderTheKernelsThatThereAre) {
  StepBuilder step;
  step.kernel(0, 10, 310);
  step.kernel(5, 310, 510, KernelClass::kCollective, 1);
  step.kernel(10, 510, 610);
  step.sync(16, 610);
  const Saving saving = StepSavings(step.of(610), parameters()).by_hiding_collectives();
  EXPECT_EQ(0, us(saving.low));
  EXPECT_NEAR(200, us(saving.predicted), 15);
}

TEST(StepSavings, AStepThatCannotBeReplayedSavesNothing) {
  const Workload empty;
  const StepSavings savings(empty, parameters());
  EXPECT_EQ(0, savings.by_graphs().high.value());
  EXPECT_EQ(0, savings.by_not_waiting().high.value());
}

}  // namespace
}  // namespace uplift::predict
