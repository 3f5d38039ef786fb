// SPDX-License-Identifier: Apache-2.0
// Fused attention: limits by hand, the rule that splits keys, laws for any shape.
#include "uplift/predict/op/attention_time.hpp"

#include "uplift/predict/op/families.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace uplift::predict {
namespace {

OpCard ampere() {
  OpCard card;
  card.generation = {8, 0};
  card.sms = 108;
  card.clock = 1.41e9;
  card.rate = 265e12;
  card.stream = 1.76e12;
  card.floor = 2e-6;
  return card;
}

OpCard hopper() {
  OpCard card = ampere();
  card.generation = {9, 0};
  card.sms = 132;
  card.clock = 1.98e9;
  card.rate = 790e12;
  card.stream = 2.96e12;
  return card;
}

Op attention(const AttentionShape& shape) {
  Op op;
  op.kind = OpKind::kAttention;
  op.math = Math::kBf16;
  op.element_bytes = op.out_element_bytes = 2;
  op.shape = shape;
  return op;
}

double seconds(const AttentionShape& shape, const OpCard& card) {
  return estimate_attention(attention(shape), card, {}).seconds;
}

TEST(AttentionTime, ALongPrefillIsBoundByTheTensorCores) {
  const AttentionShape shape{8, 32, 8, 8192, 8192, 128, true};
  for (const OpCard& card : {ampere(), hopper()}) {
    const OpTime time = estimate_attention(attention(shape), card, {});
    const double reached = flops(shape).value() / time.seconds / card.rate;
    EXPECT_GT(reached, 0.65);
    EXPECT_LT(reached, 0.85);
    EXPECT_EQ(Bound::kCompute, time.bound);
  }
}

TEST(AttentionTime, ALongDecodeStreamsTheCacheOnHopper) {
  // Keys and values: 2 x 64 sequences x 8 heads x 8192 tokens x 128 x 2 B = 2.15 GB.
  const OpTime time = estimate_attention(attention({64, 32, 8, 1, 8192, 128, true}), hopper(), {});
  const double stream = 2.0 * 64 * 8 * 8192 * 128 * 2 / (0.9 * 2.96e12);
  EXPECT_GT(time.seconds, stream);
  EXPECT_LT(time.seconds, 1.15 * stream);
  EXPECT_EQ(Bound::kMemory, time.bound);
}

TEST(AttentionTime, QueriesThatShareKeysAreNearlyFreeInDecode) {
  const double alone = seconds({64, 8, 8, 1, 4096, 128, true}, hopper());
  const double shared = seconds({64, 64, 8, 1, 4096, 128, true}, hopper());
  EXPECT_GE(shared, alone);
  EXPECT_LT(shared, 1.05 * alone);
}

TEST(AttentionTime, KeysAreSplitBeyondFourBlocks) {
  // 64 keys a block on Ampere: 256 are walked over by one kernel, 257 by two.
  const double whole = seconds({64, 8, 8, 1, 256, 128, true}, ampere());
  const double split = seconds({64, 8, 8, 1, 257, 128, true}, ampere());
  EXPECT_GT(split - whole, 2e-6);
}

TEST(AttentionTime, TheBackwardPassTakesThreeToFourTimesTheForwardPass) {
  AttentionShape shape{4, 16, 16, 4096, 4096, 128, true};
  const double forward = seconds(shape, ampere());
  shape.backward = true;
  const double ratio = seconds(shape, ampere()) / forward;
  EXPECT_GT(ratio, 2.5);
  EXPECT_LT(ratio, 4.0);
}

TEST(AttentionTime, FasterCardsAndShorterCachesNeverTakeLonger) {
  for (const std::int64_t queries : {1, 128, 4096}) {
    double longer = 0;
    for (const std::int64_t extra : {0, 100, 3000, 20000}) {
      const AttentionShape shape{16, 16, 4, queries, queries + extra, 128, true};
      const double time = seconds(shape, hopper());
      EXPECT_GE(time, longer) << queries << ' ' << extra;
      longer = time;
      OpCard card = hopper();
      card.rate *= 1.5;
      EXPECT_LE(seconds(shape, card), time);
      card.stream *= 1.5;
      EXPECT_LE(seconds(shape, card), time);
    }
  }
}

TEST(AttentionTime, IsFiniteForAnyExtents) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  for (const std::int64_t a : {std::int64_t{0}, std::int64_t{1}, kHuge}) {
    for (const std::int64_t b : {std::int64_t{1}, kHuge}) {
      for (const std::int64_t c : {std::int64_t{1}, std::int64_t{77}, kHuge}) {
        const double time = seconds({a, b, a, c, b, 128, true}, ampere());
        EXPECT_TRUE(std::isfinite(time));
        EXPECT_GT(time, 0);
      }
    }
  }
  OpCard unknown;
  EXPECT_TRUE(std::isfinite(seconds({1, 1, 1, 1, 1, 1, false}, unknown)));
}

TEST(AttentionTime, AFewQueriesAgainstACacheAreDecode) {
  const auto name = [](const AttentionShape& shape) { return family_of(attention(shape))->name(); };
  EXPECT_EQ("attention_decode", name({1, 8, 8, 1, 2048, 128, true}));
  EXPECT_EQ("attention_prefill", name({1, 8, 8, 512, 2048, 128, true}));
  EXPECT_EQ("attention_prefill", name({1, 8, 8, 1, 1, 128, true}));
  EXPECT_EQ("attention_prefill", name({1, 8, 8, 1, 2048, 128, true, true}));
}

}  // namespace
}  // namespace uplift::predict
