// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/elementwise_time.hpp"

#include "tests/unit/predict/op/hand_made_card.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

TEST(ElementwiseTime, ALargeAdditionTakesItsBytes) {
  // 3 x 4e9 B at 1e12 B/s are 12 ms; L2 keeps 20 MB of 12 GB.
  const Op op =
      make_op(OpKind::kElementwise, ElementwiseShape{1'000'000'000, 2, 1, ElementwiseOp::kAdd});
  const OpTime time = estimate_elementwise(op, hand_made_card(), {});
  EXPECT_NEAR(12e-3, time.seconds, 0.03e-3);
  EXPECT_EQ(Bound::kMemory, time.bound);
}

TEST(ElementwiseTime, OneElementTakesTheFloor) {
  const Op op = make_op(OpKind::kElementwise, ElementwiseShape{1, 1, 1, ElementwiseOp::kRelu});
  const OpTime time = estimate_elementwise(op, hand_made_card(), {});
  EXPECT_NEAR(2e-6, time.seconds, 1e-9);
  EXPECT_EQ(Bound::kLaunch, time.bound);
}

TEST(ElementwiseTime, APowerTakesItsInstructionsWhereMemoryIsFast) {
  // 1e9 / 32 x 60 warp instructions at 100 SMs x 4 x 1e9 /s: 4.7 ms.
  OpCard card = hand_made_card();
  card.stream = 100e12;
  const Op op =
      make_op(OpKind::kElementwise, ElementwiseShape{1'000'000'000, 1, 1, ElementwiseOp::kPow});
  const OpTime time = estimate_elementwise(op, card, {});
  EXPECT_NEAR(4.69e-3, time.seconds, 0.05e-3);
  EXPECT_EQ(Bound::kCompute, time.bound);
}

}  // namespace
}  // namespace uplift::predict
