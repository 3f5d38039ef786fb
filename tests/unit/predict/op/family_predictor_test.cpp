// SPDX-License-Identifier: Apache-2.0
// Scales of a card and predictions of one family, on additions whose times follow from bytes.
#include "uplift/predict/op/family_predictor.hpp"

#include "tests/unit/predict/op/hand_made_card.hpp"
#include "uplift/predict/op/elementwise_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace uplift::predict {
namespace {

CardByMath card_by_math() {
  CardByMath card;
  card.fill(hand_made_card());
  return card;
}

Op addition(std::int64_t n) {
  return make_op(OpKind::kElementwise, ElementwiseShape{n, 2, 1, ElementwiseOp::kAdd});
}

FamilyKnowledge knowledge() {
  FamilyKnowledge learnt;
  for (const auto& range : elementwise_family().parameters()) {
    learnt.constants.push_back(range.start);
  }
  learnt.noise = 0.05;
  learnt.mean.fill({0, 0, 20e-6});
  learnt.spread.fill({0.1, 0.1, 0.3});
  learnt.field.fill({0.0025, 1.0, 0.5});
  return learnt;
}

double by_formula(const Op& op, const CardScales& scales = {}) {
  return elementwise_family()
      .estimate(op, scales.apply(hand_made_card()), knowledge().constants)
      .seconds;
}

/// Twelve additions of 3 MB to 12 GB on a card whose scales are `scales`.
std::vector<TimedOp> times(const CardScales& scales) {
  std::vector<TimedOp> timed;
  for (int i = 0; i < 12; ++i) {
    const Op op = addition(std::int64_t{1} << (18 + i));
    timed.push_back({op, by_formula(op, scales) + scales.overhead});
  }
  return timed;
}

FamilyPredictor predictor(const FamilyKnowledge& learnt, Knowledge known,
                          std::span<const TimedOp> timed = {},
                          std::optional<double> overhead = std::nullopt) {
  return {elementwise_family(), learnt, card_by_math(), known, timed, overhead};
}

TEST(CardScales, MoveEveryCeilingOfTheirKind) {
  const OpCard card = CardScales{std::log(2.0), std::log(3.0), 0}.apply(hand_made_card());
  EXPECT_DOUBLE_EQ(2 * hand_made_card().rate, card.rate);
  EXPECT_DOUBLE_EQ(2 * hand_made_card().cuda_core_rate, card.cuda_core_rate);
  EXPECT_DOUBLE_EQ(3 * hand_made_card().stream, card.stream);
  EXPECT_DOUBLE_EQ(3 * hand_made_card().peer, card.peer);
  EXPECT_DOUBLE_EQ(hand_made_card().l2_bandwidth, card.l2_bandwidth);
}

TEST(CardScales, AreFoundInTimes) {
  const FamilyKnowledge learnt = knowledge();
  const CardScales usual{0, 0, 20e-6};
  const CardScales real{0, -0.15, 30e-6};
  const auto fit = [&](std::span<const TimedOp> timed) {
    return fit_scales(elementwise_family(), learnt.constants, timed, card_by_math(), usual,
                      {0.1, 0.1, 0.3}, 0.02);
  };
  const CardScales found = fit(times(real));
  EXPECT_NEAR(real.memory, found.memory, 0.01);
  EXPECT_NEAR(real.overhead, found.overhead, 1e-6);
  EXPECT_NEAR(0.0, found.compute, 0.01);  // additions do not tell
  EXPECT_DOUBLE_EQ(20e-6, fit({}).overhead);
}

TEST(CardScales, OneStrangeTimeIsNotBelieved) {
  std::vector<TimedOp> timed = times({0, 0, 20e-6});
  timed[6].seconds *= 5;
  const CardScales found = fit_scales(elementwise_family(), knowledge().constants, timed,
                                      card_by_math(), {0, 0, 20e-6}, {0.1, 0.1, 0.3}, 0.02);
  EXPECT_NEAR(0.0, found.memory, 0.02);
}

TEST(FamilyPredictor, TheShapeAloneGivesTheFormulaAndTheOverhead) {
  const FamilyKnowledge learnt = knowledge();
  const Op op = addition(1 << 24);
  const auto usual = predictor(learnt, Knowledge::kPublished).predict(op, nullptr);
  EXPECT_DOUBLE_EQ(by_formula(op) + 20e-6, usual.seconds);
  const auto kernel = predictor(learnt, Knowledge::kPublished, {}, 0.0).predict(op, nullptr);
  EXPECT_DOUBLE_EQ(by_formula(op), kernel.seconds);
  EXPECT_DOUBLE_EQ(by_formula(op), kernel.formula.seconds);
  // Variance of the field and of the memory ceiling.
  EXPECT_NEAR(std::sqrt(0.0025 + 0.01), usual.log_deviation, 1e-12);
  EXPECT_NEAR(1.64 * usual.log_deviation, usual.log_half_width, 1e-12);
}

TEST(FamilyPredictor, TimedOperationsPullThePredictionAndNarrowIt) {
  const FamilyKnowledge learnt = knowledge();
  const CardScales slow{0, std::log(0.8), 20e-6};
  const auto timed = times(slow);
  const Op op = addition(3 << 25);
  const double truth = by_formula(op, slow) + slow.overhead;
  const auto without = predictor(learnt, Knowledge::kPublished).predict(op, nullptr);
  const auto with = predictor(learnt, Knowledge::kMeasured, timed).predict(op, nullptr);
  EXPECT_LT(without.seconds, 0.85 * truth);
  EXPECT_NEAR(truth, with.seconds, 0.02 * truth);
  EXPECT_LT(with.log_half_width, 0.6 * without.log_half_width);
}

TEST(FamilyPredictor, ADeviationIsCarriedToOperationsNearby) {
  const FamilyKnowledge learnt = knowledge();
  const CardScales plain{0, 0, 20e-6};
  auto timed = times(plain);
  timed.back().seconds *= 1.3;
  const auto known = predictor(learnt, Knowledge::kMeasured, timed);
  const Op near = addition((std::int64_t{1} << 29) + (1 << 25));
  EXPECT_GT(known.predict(near, nullptr).seconds, 1.05 * (by_formula(near) + 20e-6));
  const Op far = addition(1 << 18);
  EXPECT_NEAR(by_formula(far) + 20e-6, known.predict(far, nullptr).seconds, 2e-7);
}

TEST(FamilyPredictor, TheTimeOnAnotherCardMovesAndNarrowsIt) {
  FamilyKnowledge learnt = knowledge();
  learnt.carry = {0.0025, 0.8, 0, 0};
  const Op op = addition(1 << 24);
  const auto known = predictor(learnt, Knowledge::kPublished, {}, 0.0);
  const SourceCall slow{{1e-3, 0}, 1.1e-3};
  const auto with = known.predict(op, &slow);
  const auto without = known.predict(op, nullptr);
  EXPECT_NEAR(1.08 * without.seconds, with.seconds, 1e-9 * with.seconds);
  EXPECT_LT(with.log_half_width, without.log_half_width);
}

TEST(FamilyPredictor, WhatAWholeCardIsOffByCountsUntilItIsTimed) {
  FamilyKnowledge learnt = knowledge();
  learnt.spread.fill({0.4, 0.4, 0.3});
  const Op op = addition(1 << 26);
  const auto known = predictor(learnt, Knowledge::kDatasheet).predict(op, nullptr);
  EXPECT_GT(known.log_deviation, 0.4);
  learnt.spread.fill({0, 0, 0});  // few cards that happen to agree are not believed
  const auto agreed = predictor(learnt, Knowledge::kDatasheet).predict(op, nullptr);
  EXPECT_GT(agreed.log_deviation, std::sqrt(0.0025));
}

}  // namespace
}  // namespace uplift::predict
