// SPDX-License-Identifier: Apache-2.0
// What a study learns from timings whose constants are known.
#include "uplift/fit/family_study.hpp"

#include "tests/unit/fit/made_timings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace uplift::fit {
namespace {

using predict::elementwise_family;
using predict::Knowledge;

std::vector<std::size_t> all_but(const Dataset& data, std::size_t left_out) {
  std::vector<std::size_t> cards;
  for (std::size_t card = 0; card < data.cards.size(); ++card) {
    if (card != left_out) cards.push_back(card);
  }
  return cards;
}

struct Score {
  double error = 0, inside = 0;
};

Score score(const std::vector<Prediction>& predictions) {
  Score score;
  const double n = static_cast<double>(predictions.size());
  for (const Prediction& one : predictions) {
    const double log = std::log(one.seconds / one.sample->timed.seconds);
    score.error += std::abs(std::expm1(log)) / n;
    score.inside += std::abs(log) <= one.log_half_width ? 1 / n : 0;
  }
  return score;
}

TEST(FamilyFit, FindsTheConstantsAndEachCardsScales) {
  const Dataset data = four_cards(0.01);
  const std::vector<std::size_t> cards = {0, 1, 2, 3};
  const FamilyFit fit = fit_family(elementwise_family(), data, cards, {});
  EXPECT_NEAR(kTrueConstants.dram, fit.constants[0], 0.05);
  EXPECT_NEAR(kTrueConstants.l2, fit.constants[1], 0.03);
  EXPECT_NEAR(kTrueConstants.power, fit.constants[2], 6);
  EXPECT_NEAR(25e-6, fit.cards.at(3).overhead, 2e-6);
  EXPECT_NEAR(0.08, fit.cards.at(2).memory - fit.cards.at(3).memory, 0.02);
  EXPECT_LT(fit.noise, 0.04);
}

TEST(FamilyFit, CardsTimedWithoutLaunchesHaveNoOverhead) {
  const Dataset data =
      made_timings({made_card("a", 0.5, false), made_card("b", 1.5, false)}, {{}, {}}, 100, 0.01);
  const std::vector<std::size_t> cards = {0, 1};
  const FamilyFit fit = fit_family(elementwise_family(), data, cards, {});
  EXPECT_EQ(0, fit.cards.at(0).overhead);
  EXPECT_EQ(0, fit.cards.at(1).overhead);
}

TEST(FamilyFit, DoesNotLookAtOtherCards) {
  Dataset data = four_cards(0.01);
  const auto cards = all_but(data, 3);
  const auto before = fit_family(elementwise_family(), data, cards, {}).constants;
  for (Sample& sample : data.samples) {
    if (sample.card == 3) sample.timed.seconds *= 10;
  }
  EXPECT_EQ(before, fit_family(elementwise_family(), data, cards, {}).constants);
}

TEST(FamilyStudy, PredictsTheCardThatIsLeftOutAndKnowsHowWell) {
  const Dataset data = four_cards(0.05);
  std::array<double, 3> inside{};
  for (std::size_t target = 0; target < data.cards.size(); ++target) {
    const auto others = all_but(data, target);
    const auto learnt = study_family(elementwise_family(), data, others, {});
    EXPECT_EQ(3U, learnt.fitted_on.size());
    // Intervals do not stand for hosts: what a launch takes is known.
    StudyOptions options;
    options.overhead = kFourScales[target].overhead;
    for (const Knowledge knowledge : predict::kKnowledges) {
      const auto predictions =
          predict_card(elementwise_family(), learnt, data, target, {}, knowledge, 1000, options);
      const std::size_t timed = knowledge == Knowledge::kMeasured ? 12 : 0;
      EXPECT_EQ(150 - timed, predictions.size());
      const Score found = score(predictions);
      EXPECT_LT(found.error, 0.08) << data.cards[target].id << ' ' << word(knowledge);
      const auto i = static_cast<std::size_t>(knowledge);
      inside[i] += found.inside / 4;
    }
  }
  for (const double share : inside) {
    EXPECT_GE(share, 0.8);
    EXPECT_LE(share, 1.0);
  }
}

TEST(FamilyStudy, TheTimeOnAnotherCardHelpsWhereOperationsAreOffAlike) {
  // What makes one operation slow makes it slow everywhere.
  Dataset data = four_cards(0.01);
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> peculiar(150);
  for (double& value : peculiar) value = std::exp(0.1 * normal(random));
  for (Sample& sample : data.samples) sample.timed.seconds *= peculiar[sample.group];
  const auto others = all_but(data, 1);
  const auto learnt = study_family(elementwise_family(), data, others, {});
  EXPECT_GT(learnt.carry.kernel_shared, 0.7);
  const auto by_shape = score(
      predict_card(elementwise_family(), learnt, data, 1, {}, Knowledge::kPublished, 1000, {}));
  const std::vector<std::size_t> source = {2};
  const auto by_source = score(
      predict_card(elementwise_family(), learnt, data, 1, source, Knowledge::kPublished, 1000, {}));
  EXPECT_LT(by_source.error, 0.8 * by_shape.error);
}

TEST(FamilyStudy, OneCardIsEnoughForAGuessWithAWideInterval) {
  const Dataset data = four_cards(0.02);
  const std::vector<std::size_t> one = {1};
  const auto learnt = study_family(elementwise_family(), data, one, {});
  EXPECT_GE(learnt.interval[0], 2.0);
  EXPECT_LT(score(predict_card(elementwise_family(), learnt, data, 2, {}, Knowledge::kPublished,
                               1000, {}))
                .error,
            0.2);
}

}  // namespace
}  // namespace uplift::fit
