// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/residual_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace uplift::predict {
namespace {

const std::vector<Features> kPlaces = {{0, 0}, {1, 0}, {3, 2}, {-2, 1}};
const std::vector<double> kValues = {0.1, -0.2, 0.3, 0.05};

TEST(ResidualField, GivesBackWhatWasSeenWithoutANugget) {
  const ResidualField field({0.04, 1.0, 0.0}, kPlaces, kValues);
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    const Deviation seen = field.at(kPlaces[i]);
    EXPECT_NEAR(kValues[i], seen.mean, 1e-9);
    EXPECT_NEAR(0.0, seen.variance, 1e-9);
  }
}

TEST(ResidualField, OneNeighbourByHand) {
  // Covariance at distance d: v (1 - nugget) exp(-d / reach), here 0.04 x 0.5 x exp(-1).
  const std::vector<Features> one = {{0, 0, 0}};
  const std::vector<double> value = {0.3};
  const Deviation near = ResidualField({0.04, 2.0, 0.5}, one, value).at({2, 0, 0});
  const double share = 0.5 * std::exp(-1.0);
  EXPECT_NEAR(0.3 * share, near.mean, 1e-12);
  EXPECT_NEAR(0.04 * (1 - share * share), near.variance, 1e-12);
}

TEST(ResidualField, SaysNothingFarAwayOrWithoutPlaces) {
  const FieldConstants constants{0.04, 1.0, 0.2};
  const Deviation far = ResidualField(constants, kPlaces, kValues).at({100, 100});
  EXPECT_NEAR(0.0, far.mean, 1e-12);
  EXPECT_NEAR(0.04, far.variance, 1e-12);
  const ResidualField none(constants, {}, {});
  EXPECT_TRUE(none.empty());
  EXPECT_DOUBLE_EQ(0.0, none.at({}).mean);
  EXPECT_DOUBLE_EQ(0.04, none.at({}).variance);
}

TEST(ResidualField, VarianceStaysBetweenNothingAndAll) {
  const ResidualField field({0.04, 1.0, 0.2}, kPlaces, kValues);
  for (double x = -4; x < 5; x += 0.25) {
    const Deviation deviation = field.at({x, 0.5 * x});
    EXPECT_GE(deviation.variance, 0.0);
    EXPECT_LE(deviation.variance, 0.04 + 1e-12);
    EXPECT_LE(std::abs(deviation.mean), 0.3);
  }
}

TEST(ResidualField, TheSamePlaceTwiceIsAveraged) {
  const std::vector<Features> twice = {{1, 1}, {1, 1}};
  const std::vector<double> values = {0.1, 0.3};
  const Deviation both = ResidualField({0.04, 1.0, 0.1}, twice, values).at({1, 1});
  // Weights (1 - nugget) / (2 - nugget) each.
  EXPECT_NEAR(0.4 * 0.9 / 1.9, both.mean, 1e-12);
}

TEST(ResidualField, MoreThanItsMostPlacesAreNotLookedAt) {
  std::vector<Features> places(ResidualField::kMostPlaces, Features{});
  std::vector<double> values(places.size(), 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) places[i][0] = 10.0 * static_cast<double>(i);
  places.push_back({-50});
  values.push_back(1.0);
  const ResidualField field({0.04, 1.0, 0.1}, places, values);
  EXPECT_NEAR(0.0, field.at({-50}).mean, 1e-12);
}

}  // namespace
}  // namespace uplift::predict
