// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/predict/op/hand_made_card.hpp"
#include "uplift/predict/op/layernorm_time.hpp"
#include "uplift/predict/op/reduce_time.hpp"
#include "uplift/predict/op/softmax_time.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

double layernorm(std::int64_t rows, std::int64_t cols, const OpCard& card) {
  return estimate_layernorm(make_op(OpKind::kLayerNorm, RowsShape{rows, cols, false}), card, {})
      .seconds;
}

double softmax(std::int64_t rows, std::int64_t cols, const OpCard& card) {
  return estimate_softmax(make_op(OpKind::kSoftmax, RowsShape{rows, cols, false}), card, {})
      .seconds;
}

TEST(LayerNormTime, RowsThatNoCacheHoldsAreReadTwice) {
  // 8 GB each way; 1600 rows of 400 kB at work are far above 40 MB: three times 8 GB at 1 TB/s.
  OpCard card = hand_made_card();
  card.clock = 1e12;
  EXPECT_NEAR(24e-3, layernorm(20'000, 100'000, card), 0.1e-3);
  card.l2_bytes = 1e12;
  EXPECT_LT(layernorm(20'000, 100'000, card), 17e-3);
}

TEST(LayerNormTime, AMixedWarpRunsBothBodiesOfItsLoop) {
  // 1920 columns are 480 vectors: 15 whole warps, four or three steps each. 1912 are 478: one warp
  // has threads with four steps and threads with three, and takes seven.
  OpCard card = hand_made_card();
  card.stream = 1e15;
  EXPECT_GT(layernorm(100'000, 1912, card), 1.3 * layernorm(100'000, 1920, card));
}

TEST(LayerNormTime, RowsOfOddLengthTakeTwoKernels) {
  EXPECT_GT(layernorm(1, 1023, hand_made_card()),
            layernorm(1, 1024, hand_made_card()) + hand_made_card().floor * 0.5);
}

TEST(SoftmaxTime, ShortRowsAreReadOnce) {
  // 1e7 rows of 256: 10.24 GB each way at 1 TB/s.
  OpCard card = hand_made_card();
  card.clock = 1e12;
  EXPECT_NEAR(20.5e-3, softmax(10'000'000, 256, card), 0.1e-3);
}

TEST(SoftmaxTime, LongRowsAreReadThreeTimes) {
  // Each of 400 blocks of 512 threads has a row of 4 MB at work: four times 8 GB at 1 TB/s.
  OpCard card = hand_made_card();
  card.clock = 1e13;
  EXPECT_NEAR(32e-3, softmax(2'000, 1'000'000, card), 0.3e-3);
}

TEST(SoftmaxTime, RowsThatStartAnywhereTakeMoreSteps) {
  OpCard card = hand_made_card();
  card.stream = 1e15;
  EXPECT_GT(softmax(100'000, 2049, card), softmax(100'000, 2048, card) * 1.02);
}

TEST(ReduceTime, LongRowsAreSplitAmongBlocks) {
  // One row of 2^28 elements: 1.07 GB at 1 TB/s if the whole card reads it.
  const Op op = make_op(OpKind::kReduce, RowsShape{1, 1 << 28, false});
  EXPECT_LT(estimate_reduce(op, hand_made_card(), {}).seconds, 2e-3);
}

}  // namespace
}  // namespace uplift::predict
