// SPDX-License-Identifier: Apache-2.0
// Predictions with the profile that the documents show, which is made of real timings of an H200.
#include "uplift/catalog/catalog.hpp"
#include "uplift/predict/card.hpp"
#include "uplift/read/profile/profile_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace uplift::predict {
namespace {

const catalog::Catalog& boards() {
  static const catalog::Catalog kBoards = catalog::Catalog::load().value();
  return kBoards;
}

const Profile& h200_profile() {
  static const Profile kProfile =
      read::load_profile(std::string(UPLIFT_SOURCE_DIR) + "/docs/schema/examples/profile.json")
          .value();
  return kProfile;
}

Card card(std::string_view id, const Profile* profile = nullptr) {
  static const Parameters kParameters = model::load_parameters().value();
  return build_card(*boards().find(id), "", Basis::kMeasured, kParameters, profile).value();
}

double miss(const OpPredictor& predictor, const TimedCall& call) {
  return std::abs(std::log(predictor.predict(call.op, std::nullopt).seconds / call.seconds));
}

double width(const OpPredictor& predictor, const Op& op) {
  const auto answer = predictor.predict(op, std::nullopt);
  return std::log(answer.high / answer.low);
}

TEST(ProfiledCard, PredictionsOfTimedOperationsMoveTowardsTheirTimes) {
  const Card plain = card("h200-sxm-141gb");
  const Card profiled = card("h200-sxm-141gb", &h200_profile());
  EXPECT_EQ(Basis::kPublished, plain.model.basis);
  EXPECT_EQ(Basis::kMeasured, profiled.model.basis);
  const OpPredictor before(OpConstants::built_in(), {}, plain.input());
  const OpPredictor after(OpConstants::built_in(), {}, profiled.input());
  double missed_before = 0;
  double missed_after = 0;
  for (const TimedCall& call : h200_profile().calibration) {
    missed_before += miss(before, call);
    missed_after += miss(after, call);
    EXPECT_LT(width(after, call.op), width(before, call.op));
  }
  EXPECT_LT(missed_after, 0.5 * missed_before);
}

TEST(ProfiledCard, WhatAProfileWouldDoIsNoMoreThanItDoes) {
  const Card plain = card("h200-sxm-141gb");
  const Card profiled = card("h200-sxm-141gb", &h200_profile());
  const OpPredictor before(OpConstants::built_in(), {}, plain.input());
  const OpPredictor after(OpConstants::built_in(), {}, profiled.input());
  for (const TimedCall& call : h200_profile().calibration) {
    const double narrowing = before.predict(call.op, std::nullopt).narrowing;
    EXPECT_GT(narrowing, 0);
    EXPECT_LE(narrowing, 1);
    EXPECT_GE(narrowing * width(before, call.op), width(after, call.op) * (1 - 1e-9));
    EXPECT_EQ(1, after.predict(call.op, std::nullopt).narrowing);
  }
}

TEST(ProfiledCard, ACallOnTheSameCardTakesWhatItTook) {
  const Card profiled = card("h200-sxm-141gb", &h200_profile());
  const OpPredictor predictor(OpConstants::built_in(), profiled.input(), profiled.input());
  for (const TimedCall& call : h200_profile().calibration) {
    const auto answer = predictor.predict(call.op, 3e-4);
    EXPECT_NEAR(3e-4, answer.seconds, 1e-12);
    EXPECT_DOUBLE_EQ(answer.low, answer.high);
  }
}

TEST(ProfiledCard, MoreOfOneFormatThanAFieldHoldsIsNoLoss) {
  Profile profile = h200_profile();
  // Ahead of the others, where a field that took the first ones would see nothing else.
  const TimedCall first = profile.calibration.front();
  profile.calibration.insert(profile.calibration.begin(), 2 * ResidualField::kMostPlaces, first);
  const Card profiled = card("h200-sxm-141gb", &profile);
  const OpPredictor predictor(OpConstants::built_in(), {}, profiled.input());
  EXPECT_LT(miss(predictor, first), 0.1);
  for (const TimedCall& call : profile.calibration) {
    EXPECT_TRUE(std::isfinite(miss(predictor, call)));
  }
}

}  // namespace
}  // namespace uplift::predict
