// SPDX-License-Identifier: Apache-2.0
// Laws of an inspection: every moment counts once, nothing is saved that was not spent, and no
// input breaks it.
#include "tests/property/random_workload.hpp"
#include "uplift/decide/inspect.hpp"
#include "uplift/predict/step_savings.hpp"
#include "uplift/predict/step_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace uplift::property {
namespace {

using predict::describe_timeline;
using predict::Saving;
using predict::StepSavings;

/// Any time at all, often an odd one.
std::int64_t draw_odd_time() {
  return *rc::gen::oneOf(
      rc::gen::elementOf(std::vector<std::int64_t>{kUnknownTime, INT64_MAX, INT64_MIN + 1, 0, -1}),
      rc::gen::inRange<std::int64_t>(-2'000'000, 2'000'000), rc::gen::arbitrary<std::int64_t>());
}

/// A workload whose events are out of order and out of bounds.
Workload draw_damaged_workload() {
  Workload workload = draw_workload();
  for (StepEvent& event : workload.step.events) {
    if (*rc::gen::inRange(0, 3) == 0) event.device_start = draw_odd_time();
    if (*rc::gen::inRange(0, 3) == 0) event.device_end = draw_odd_time();
    if (*rc::gen::inRange(0, 3) == 0) event.host_start = draw_odd_time();
    if (*rc::gen::inRange(0, 3) == 0) event.host_end = draw_odd_time();
    if (*rc::gen::inRange(0, 5) == 0)
      event.item = *rc::gen::element(-1, 1000, INT32_MAX, INT32_MIN);
    if (*rc::gen::inRange(0, 9) == 0) event.stream = *rc::gen::element(-1, -7, 12);
  }
  std::reverse(workload.step.events.begin(), workload.step.events.end());
  return workload;
}

void check_timeline(const Workload& workload) {
  const StepTimeline timeline = describe_timeline(workload);
  double sum = 0;
  for (const Seconds part : timeline.parts) {
    RC_ASSERT(part.value() >= 0);
    sum += part.value();
  }
  RC_ASSERT(std::abs(sum - timeline.length.value()) <= 1e-9 * timeline.length.value());
  RC_ASSERT(std::abs((timeline.length - workload.step.length).value()) < 1e-9);
  for (const CopyUse& use : timeline.copies) {
    RC_ASSERT(use.exposed.value() >= 0);
    RC_ASSERT(use.exposed.value() <= use.total.value() * (1 + 1e-9));
    RC_ASSERT(use.item < workload.copies.size());
  }
  RC_ASSERT(timeline.collectives_hidden.value() <= timeline.collectives.value() * (1 + 1e-9));
  RC_ASSERT(timeline.stretch_kernels <= timeline.kernels);
  RC_ASSERT(timeline.stretch_idle.value() <= timeline.stretch_length.value() * (1 + 1e-9));
}

void check_saving(const Saving& saving, Seconds step) {
  RC_ASSERT(saving.low.value() >= 0);
  RC_ASSERT(saving.low <= saving.predicted);
  RC_ASSERT(saving.predicted <= saving.high);
  RC_ASSERT(saving.high <= step);
}

void check_savings(const Workload& workload) {
  const auto card = build(draw_gpu(), draw_basis());
  const StepSavings savings(workload, parameters());
  const Seconds step = workload.step_length;
  check_saving(savings.by_prefetch(describe_timeline(workload), &card), step);
  check_saving(savings.by_prefetch(describe_timeline(workload), nullptr), step);
  check_saving(savings.by_graphs(), step);
  check_saving(savings.by_not_waiting(), step);
  check_saving(savings.by_hiding_collectives(), step);
  for (const Math math : {Math::kTf32, Math::kBf16}) {
    check_saving(savings.by_format(math, card), step);
  }
}

RC_GTEST_PROP(Timeline, PartsSumToTheStep, ()) { check_timeline(draw_workload()); }

RC_GTEST_PROP(Timeline, PartsSumToTheStepWhateverTheTimes, ()) {
  check_timeline(draw_damaged_workload());
}

RC_GTEST_PROP(Timeline, TheOrderOfTheEventsDoesNotMatter, ()) {
  Workload workload = draw_workload();
  const StepTimeline before = describe_timeline(workload);
  std::reverse(workload.step.events.begin(), workload.step.events.end());
  const StepTimeline after = describe_timeline(workload);
  for (const StepPart part : kStepParts) RC_ASSERT(before.part(part) == after.part(part));
}

RC_GTEST_PROP(Savings, NeverMoreThanTheStep, ()) { check_savings(draw_workload()); }

RC_GTEST_PROP(Savings, NeverMoreThanTheStepWhateverTheTimes, ()) {
  check_savings(draw_damaged_workload());
}

RC_GTEST_PROP(Inspection, SectionsAgreeAndFindingsFall, ()) {
  const Workload workload = draw_workload();
  decide::InspectRequest request;
  request.from = draw_gpu().id;
  const auto inspection = decide::inspect(workload, request, boards(), parameters());
  RC_ASSERT(inspection.has_value());
  double kernels = 0;
  for (const DistinctKernel& kernel : workload.kernels) kernels += kernel.total.value();
  double classes = 0;
  for (const ClassTime& time : inspection->classes) {
    classes += time.seconds;
    double bounds = 0;
    for (const double part : time.seconds_by_bound.value()) bounds += part;
    RC_ASSERT(std::abs(bounds - time.seconds) <= 1e-9 * time.seconds);
  }
  RC_ASSERT(std::abs(classes - kernels / workload.step_count()) <= 1e-9 * classes);
  RC_ASSERT(std::abs(inspection->kernel_seconds - classes) <= 1e-9 * classes);
  const auto& findings = inspection->findings;
  for (std::size_t i = 0; i + 1 < findings.size(); ++i) {
    RC_ASSERT(findings[i].saved_seconds.predicted >= findings[i + 1].saved_seconds.predicted);
  }
  for (const KernelFacts& kernel : inspection->kernels) {
    if (!kernel.dram_bytes) continue;
    RC_ASSERT(kernel.dram_bytes->low <= kernel.dram_bytes->predicted);
    RC_ASSERT(kernel.dram_bytes->predicted <= kernel.dram_bytes->high);
    RC_ASSERT(kernel.basis != WorkBasis::kTime || !kernel.sustained_share);
  }
}

}  // namespace
}  // namespace uplift::property
