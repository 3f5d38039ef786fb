// SPDX-License-Identifier: Apache-2.0
// The rule behind upgrade-now, evaluate and hold, at and around its thresholds.
#include "uplift/decide/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <gmock/gmock.h>

namespace uplift::decide {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

SourceFacts source(double step_seconds, double floor_seconds) {
  SourceFacts facts;
  facts.gpu = "v100-sxm2-32gb";
  facts.step_seconds = step_seconds;
  facts.floor_seconds = floor_seconds;
  return facts;
}

/// A target that makes a 1 s step this much faster, with a host part of `host_seconds`.
TargetAdvice target(double speedup, double low, double high, double host_seconds = 0) {
  TargetAdvice advice;
  advice.gpu = "a100-sxm4-80gb";
  advice.speedup = Range{speedup, low, high};
  advice.step_seconds = Range{1 / speedup, 1 / high, 1 / low};
  advice.seconds_by_bound[static_cast<std::size_t>(Bound::kHost)] = host_seconds;
  advice.seconds_by_bound[static_cast<std::size_t>(Bound::kMemory)] = 1 / speedup - host_seconds;
  return advice;
}

Decision decision(double speedup, double low, double high) {
  return judge(source(1, 0), target(speedup, low, high)).decision;
}

TEST(Verdict, TheLowEndDecidesForAnUpgrade) {
  EXPECT_EQ(Decision::kUpgradeNow, decision(2.0, 1.50, 2.6));
  EXPECT_EQ(Decision::kEvaluate, decision(2.0, 1.49, 2.6));
}

TEST(Verdict, LittleToGainIsAHold) {
  EXPECT_EQ(Decision::kHold, decision(1.15, 1.1, 1.19));
  EXPECT_EQ(Decision::kHold, decision(1.09, 0.8, 2.0));
  EXPECT_EQ(Decision::kEvaluate, decision(1.12, 0.9, 1.4));
}

TEST(Verdict, AJobThatDoesNotFitIsAHoldWhateverTheSpeed) {
  TargetAdvice advice = target(3, 2, 4);
  advice.memory = {50e9, 40e9, false, {}};
  const Verdict verdict = judge(source(1, 0), advice);
  EXPECT_EQ(Decision::kHold, verdict.decision);
  EXPECT_THAT(verdict.reasons, Contains(HasSubstr("held 50.0 GB and the card has 40.0 GB")));
  EXPECT_EQ("memory_needed_bytes", verdict.flips_if.front().input);
}

TEST(Verdict, AHostBoundJobIsToldSo) {
  const Verdict verdict = judge(source(1, 0.98), target(1.0, 0.95, 1.05, 0.9));
  EXPECT_EQ(Decision::kHold, verdict.decision);
  EXPECT_THAT(verdict.reasons,
              Contains(HasSubstr("the host keeps the step at 980 ms, 98 % of what it is now")));
}

TEST(Verdict, TheHostTimeThatWouldTurnItIsWorkedOut) {
  // 1 s now, 0.8 s there of which 0.6 s host: cutting d from both gives 1.5 when
  // (1 - d) / (0.8 - d) = 1.5, so d = 0.4 and 0.2 s of host are left.
  const Verdict verdict = judge(source(1, 0.6), target(1.25, 1.0, 1.45, 0.6));
  const auto flip = std::find_if(verdict.flips_if.begin(), verdict.flips_if.end(),
                                 [](const Flip& f) { return f.input == "host_seconds_per_step"; });
  ASSERT_NE(verdict.flips_if.end(), flip);
  EXPECT_NEAR(0.2, flip->flips_at, 1e-9);
}

TEST(Verdict, WithoutASourceNothingCanBeSaid) {
  TargetAdvice advice = target(2, 1.6, 3);
  advice.speedup.reset();
  const Verdict verdict = judge(SourceFacts{}, advice);
  EXPECT_EQ(Decision::kCannotSay, verdict.decision);
  EXPECT_THAT(verdict.reasons, Contains(HasSubstr("--from")));
}

TEST(Verdict, TheCardTheJobRunsOnIsAHold) {
  TargetAdvice advice = target(1, 1, 1);
  advice.gpu = "v100-sxm2-32gb";
  EXPECT_EQ(Decision::kHold, judge(source(1, 0), advice).decision);
}

}  // namespace
}  // namespace uplift::decide
