// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/calibration_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace uplift::fit {
namespace {

/// Four heaps of 25 places, 10 apart.
std::vector<predict::Features> heaps() {
  std::vector<predict::Features> places;
  for (int i = 0; i < 100; ++i) {
    const double jitter = 0.01 * (i * 7 % 25);
    places.push_back({10.0 * (i % 2) + jitter, 10.0 * (i / 2 % 2) - jitter});
  }
  return places;
}

TEST(CalibrationSet, TakesOneOfEachHeap) {
  const auto places = heaps();
  const auto chosen = choose_representatives(places, 4);
  ASSERT_EQ(4U, chosen.size());
  std::set<std::pair<long, long>> seen;
  for (const std::size_t i : chosen) {
    ASSERT_LT(i, places.size());
    seen.insert({std::lround(places[i][0] / 10), std::lround(places[i][1] / 10)});
  }
  EXPECT_EQ(4U, seen.size());
}

TEST(CalibrationSet, SpreadsOverALine) {
  std::vector<predict::Features> line;
  for (int i = 0; i < 4000; ++i) line.push_back({0.001 * i});
  const auto chosen = choose_representatives(line, 12);
  ASSERT_EQ(12U, chosen.size());
  std::vector<double> at = {0.0, 4.0};
  for (const std::size_t i : chosen) at.push_back(line[i][0]);
  std::sort(at.begin(), at.end());
  for (std::size_t i = 1; i < at.size(); ++i) EXPECT_LT(at[i] - at[i - 1], 0.6);
}

TEST(CalibrationSet, IsTheSameEveryTimeAndHasNoneTwice) {
  const auto places = heaps();
  const auto chosen = choose_representatives(places, 12);
  EXPECT_EQ(chosen, choose_representatives(places, 12));
  EXPECT_EQ(chosen.size(), std::set(chosen.begin(), chosen.end()).size());
  EXPECT_LE(chosen.size(), 12U);
}

TEST(CalibrationSet, FewPlacesGiveFew) {
  EXPECT_TRUE(choose_representatives({}, 12).empty());
  const std::vector<predict::Features> two = {{0}, {1}};
  EXPECT_EQ(2U, choose_representatives(two, 12).size());
  const std::vector<predict::Features> alike(30, predict::Features{1, 2});
  EXPECT_EQ(1U, choose_representatives(alike, 12).size());
}

}  // namespace
}  // namespace uplift::fit
