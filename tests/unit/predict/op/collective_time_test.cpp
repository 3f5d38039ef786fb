// SPDX-License-Identifier: Apache-2.0
// Collectives: long messages by hand, in-switch reduction, laws for any shape.
#include "uplift/predict/op/collective_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace uplift::predict {
namespace {

OpCard sxm(int major, double peer, double host_link) {
  OpCard card;
  card.generation = {major, 0};
  card.peer = peer;
  card.host_link = host_link;
  card.floor = 2e-6;
  return card;
}

const OpCard kAmpere = sxm(8, 300e9, 25e9);
const OpCard kHopper = sxm(9, 450e9, 50e9);

double seconds(OpKind kind, Math math, const CollectiveShape& shape, const OpCard& card) {
  Op op;
  op.kind = kind;
  op.math = math;
  op.shape = shape;
  return estimate_collective(op, card, {}).seconds;
}

TEST(CollectiveTime, ALongRingRunsAtTheLinksRate) {
  // Each GPU sends 2 x 7/8 of 2^30 B over twelve links of 20 GB/s, of which 0.95 are reached.
  const double ring = 2.0 * 7 / 8 * 1073741824.0 / (0.95 * 240e9);
  const double time = seconds(OpKind::kAllReduce, Math::kFp16, {1 << 30, 8}, kAmpere);
  EXPECT_GT(time, ring);
  EXPECT_LT(time, 1.02 * ring);
}

TEST(CollectiveTime, AllGatherSendsHalfOfAllReduce) {
  const double reduce = seconds(OpKind::kAllReduce, Math::kFp16, {1 << 30, 8}, kAmpere);
  const double gather = seconds(OpKind::kAllGather, Math::kFp16, {1 << 30, 8}, kAmpere);
  EXPECT_NEAR(2.0, reduce / gather, 0.03);
}

TEST(CollectiveTime, HoppersSwitchesAddFloatsOfManyRanks) {
  const auto gain = [](std::int64_t ranks, const OpCard& card) {
    const CollectiveShape shape{1 << 30, ranks};
    return seconds(OpKind::kAllReduce, Math::kInt8, shape, card) /
           seconds(OpKind::kAllReduce, Math::kFp16, shape, card);
  };
  // 2 x 7/8 against (1 + 1/8) / 0.85 of the buffer.
  EXPECT_NEAR(1.75 / 1.125 * 0.85, gain(8, kHopper), 0.03);
  EXPECT_EQ(1.0, gain(2, kHopper));
  EXPECT_EQ(1.0, gain(8, kAmpere));
}

TEST(CollectiveTime, AShortMessageTakesItsLatency) {
  const double two = seconds(OpKind::kAllGather, Math::kFp16, {512, 2}, kAmpere);
  const double eight = seconds(OpKind::kAllGather, Math::kFp16, {512, 8}, kAmpere);
  EXPECT_GT(two, 5e-6);
  EXPECT_LT(eight, 20e-6);
  EXPECT_LT(two, eight);
  EXPECT_EQ(kAmpere.floor, seconds(OpKind::kAllGather, Math::kFp16, {512, 1}, kAmpere));
}

TEST(CollectiveTime, OtherNodesAreReachedThroughTheAdapters) {
  const double inside = seconds(OpKind::kAllReduce, Math::kInt8, {1 << 30, 16, 1}, kHopper);
  const double across = seconds(OpKind::kAllReduce, Math::kInt8, {1 << 30, 16, 2}, kHopper);
  const double spread = seconds(OpKind::kAllReduce, Math::kInt8, {1 << 30, 16, 16}, kHopper);
  EXPECT_GE(across, inside);
  EXPECT_GT(spread, 4.0 * across);
}

TEST(CollectiveTime, MoreBytesNeverTakeLessAndFasterLinksNeverLonger) {
  for (const OpKind kind : {OpKind::kAllReduce, OpKind::kAllGather, OpKind::kAllToAll,
                            OpKind::kReduceScatter, OpKind::kSendRecv}) {
    double last = 0;
    for (std::int64_t bytes = 1; bytes < (std::int64_t{1} << 40); bytes *= 3) {
      const double time = seconds(kind, Math::kFp16, {bytes, 8}, kHopper);
      EXPECT_GE(time, last);
      EXPECT_LE(time, seconds(kind, Math::kFp16, {bytes, 8}, kAmpere));
      EXPECT_TRUE(std::isfinite(seconds(kind, Math::kFp16, {bytes, bytes, bytes}, OpCard{})));
      last = time;
    }
  }
}

}  // namespace
}  // namespace uplift::predict
