// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/source_carry.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

TEST(SourceCarry, AnExcessBelongsToThePartThatVaries) {
  const CarryConstants overhead{0.0, 0.0, 0.25, 1.0};
  const CallFactors slow = carry_factors(overhead, {{1.0, 0.5}, 1.75});
  EXPECT_DOUBLE_EQ(1.0, slow.kernel);
  EXPECT_DOUBLE_EQ(1.5, slow.overhead);
  const CarryConstants kernel{0.01, 0.5, 0.0, 0.0};
  const CallFactors hard = carry_factors(kernel, {{1.0, 0.5}, 1.7});
  EXPECT_DOUBLE_EQ(1.1, hard.kernel);
  EXPECT_DOUBLE_EQ(1.0, hard.overhead);
}

TEST(SourceCarry, ALongKernelTellsNothingOfTheOverhead) {
  const CarryConstants both{0.01, 0.5, 0.25, 0.9};
  const CallFactors factors = carry_factors(both, {{100.0, 0.01}, 110.0});
  EXPECT_NEAR(1.05, factors.kernel, 1e-3);
  EXPECT_NEAR(1.0, factors.overhead, 0.01);
  EXPECT_NEAR(1.0, untold_share(both, {{100.0, 0.01}, 110.0}, {0.01, 100.0}), 1e-3);
}

TEST(SourceCarry, NothingKnownChangesNothing) {
  const CarryConstants none{0.0, 0.0, 0.0, 0.0};
  EXPECT_DOUBLE_EQ(1.0, carry_factors(none, {{1.0, 1.0}, 5.0}).kernel);
  EXPECT_DOUBLE_EQ(1.0, untold_share(none, {{1.0, 1.0}, 5.0}, {1.0, 1.0}));
  const CallFactors kept = carry_factors({0.01, 0.9, 0.3, 0.9}, {{1.0, 1.0}, 1e9});
  EXPECT_DOUBLE_EQ(3.0, kept.kernel);
  EXPECT_DOUBLE_EQ(3.0, kept.overhead);
}

}  // namespace
}  // namespace uplift::predict
