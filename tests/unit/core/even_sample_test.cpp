// SPDX-License-Identifier: Apache-2.0
#include "uplift/core/even_sample.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace uplift {
namespace {

std::vector<int> sample(int length, std::size_t most) {
  EvenSample<int> kept(most);
  for (int i = 0; i < length; ++i) {
    if (kept.wants_next()) kept.add(i);
  }
  return {kept.items().begin(), kept.items().end()};
}

TEST(EvenSample, KeepsAllWhileTheyFit) {
  EXPECT_THAT(sample(4, 4), testing::ElementsAre(0, 1, 2, 3));
}

TEST(EvenSample, ThinsToEverySecondWhenFull) {
  EXPECT_THAT(sample(5, 4), testing::ElementsAre(0, 2, 4));
  EXPECT_THAT(sample(100, 4), testing::ElementsAre(0, 32, 64, 96));
}

TEST(EvenSample, NeverHoldsMoreThanItMayNorFarFewer) {
  for (int length = 10; length < 5000; length += 7) {
    const auto kept = sample(length, 10);
    EXPECT_LE(kept.size(), 10U);
    EXPECT_GE(kept.size(), 5U);
  }
}

}  // namespace
}  // namespace uplift
