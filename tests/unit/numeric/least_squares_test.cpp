// SPDX-License-Identifier: Apache-2.0
#include "uplift/numeric/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace uplift::numeric {
namespace {

constexpr std::size_t kPoints = 40;

double place(std::size_t i) { return 0.1 * static_cast<double>(i); }

/// Residuals of amplitude x exp(-rate x t) + offset against measured values.
ResidualFunction decay(std::vector<double> measured) {
  return [measured = std::move(measured)](std::span<const double> values, std::span<double> out) {
    for (std::size_t i = 0; i < measured.size(); ++i) {
      out[i] = values[0] * std::exp(-values[1] * place(i)) + values[2] - measured[i];
    }
  };
}

std::vector<double> decay_values(double amplitude, double rate, double offset) {
  std::vector<double> values;
  for (std::size_t i = 0; i < kPoints; ++i) {
    values.push_back(amplitude * std::exp(-rate * place(i)) + offset);
  }
  return values;
}

const std::vector<Unknown> kUnknowns = {{1.0, 0.01, 100.0}, {0.2, 0.01, 10.0}, {0.0, -5.0, 5.0}};

TEST(LeastSquares, FindsTheConstantsOfACurve) {
  const auto found = minimise(decay(decay_values(8.0, 1.5, -2.0)), kPoints, kUnknowns, {});
  EXPECT_NEAR(8.0, found.values[0], 1e-3);
  EXPECT_NEAR(1.5, found.values[1], 1e-3);
  EXPECT_NEAR(-2.0, found.values[2], 1e-3);
  EXPECT_NEAR(0.0, found.cost, 1e-6);
}

TEST(LeastSquares, StaysInsideTheBounds) {
  std::vector<Unknown> unknowns = kUnknowns;
  unknowns[1].high = 0.7;
  unknowns[2].low = -1.0;
  bool inside = true;
  const auto curve = decay(decay_values(8.0, 1.5, -2.0));
  const auto watched = [&](std::span<const double> values, std::span<double> out) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      inside = inside && values[i] >= unknowns[i].low && values[i] <= unknowns[i].high;
    }
    curve(values, out);
  };
  const auto found = minimise(watched, kPoints, unknowns, {});
  EXPECT_TRUE(inside);
  EXPECT_DOUBLE_EQ(0.7, found.values[1]);
}

TEST(LeastSquares, AStartOutsideTheBoundsIsMovedIn) {
  const std::vector<Unknown> one = {{50.0, 1.0, 4.0}};
  const auto residuals = [](std::span<const double> values, std::span<double> out) {
    out[0] = values[0] - 3.0;
  };
  EXPECT_NEAR(3.0, minimise(residuals, 1, one, {}).values[0], 1e-4);
}

TEST(LeastSquares, AnUnknownMovesOverOrdersOfMagnitudeInItsLogarithm) {
  const std::vector<Unknown> one = {{1e-7, 1e-9, 1e3}};
  const auto residuals = [](std::span<const double> values, std::span<double> out) {
    out[0] = std::log(values[0] / 20.0);
  };
  EXPECT_NEAR(20.0, minimise(residuals, 1, one, {}).values[0], 1e-3);
}

TEST(LeastSquares, ASoftLossDoesNotFollowAFewBadPoints) {
  auto measured = decay_values(8.0, 1.5, -2.0);
  for (const std::size_t bad : {3U, 17U, 31U}) measured[bad] += 5.0;
  LeastSquaresOptions soft;
  soft.loss_scale = 0.05;
  soft.robust = kPoints;
  const auto robust = minimise(decay(measured), kPoints, kUnknowns, soft);
  const auto squared = minimise(decay(measured), kPoints, kUnknowns, {});
  EXPECT_NEAR(-2.0, robust.values[2], 0.03);
  EXPECT_GT(std::abs(squared.values[2] + 2.0), 0.1);
}

TEST(LeastSquares, ResidualsBehindTheRobustOnesAreSquared) {
  // One value, drawn to 0 by a robust residual and to 1 by a squared one of the same weight.
  const std::vector<Unknown> one = {{0.5, -5.0, 5.0}};
  const auto residuals = [](std::span<const double> values, std::span<double> out) {
    out[0] = values[0];
    out[1] = values[0] - 1.0;
  };
  LeastSquaresOptions first;
  first.loss_scale = 0.01;
  first.robust = 1;
  EXPECT_GT(minimise(residuals, 2, one, first).values[0], 0.9);
  EXPECT_NEAR(0.5, minimise(residuals, 2, one, {}).values[0], 1e-4);
}

TEST(LeastSquares, ResidualsThatAreNoNumbersDoNotSpread) {
  const std::vector<Unknown> one = {{1.0, -5.0, 5.0}};
  const auto residuals = [](std::span<const double> values, std::span<double> out) {
    out[0] = std::sqrt(values[0]) - 0.1;  // NaN below 0
  };
  const double found = minimise(residuals, 1, one, {}).values[0];
  EXPECT_NEAR(0.01, found, 1e-3);
}

}  // namespace
}  // namespace uplift::numeric
