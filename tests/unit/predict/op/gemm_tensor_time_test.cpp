// SPDX-License-Identifier: Apache-2.0
// Tensor-core products against times worked out by hand, and the laws that hold for any shape.
#include "uplift/predict/op/gemm_tensor_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace uplift::predict {
namespace {

constexpr GemmTensorConstants kConstants;

/// 100 SMs of 1024 FLOPs a cycle at 1 GHz; no power limit.
OpCard plain_card() {
  OpCard card;
  card.generation = {8, 0};
  card.sms = 100;
  card.clock = 1e9;
  card.l2_bytes = 40e6;
  card.rate = card.peak = 100 * 1024 * 1e9;
  card.stream = 1e12;
  card.l2_bandwidth = 4e12;
  card.floor = 2e-6;
  return card;
}

Op product(std::int64_t m, std::int64_t n, std::int64_t k, Math math = Math::kBf16) {
  Op op;
  op.kind = OpKind::kGemm;
  op.math = math;
  op.element_bytes = op.out_element_bytes = storage_bytes(math);
  op.shape = GemmShape{1, m, n, k};
  return op;
}

double seconds(const Op& op, const OpCard& card) {
  return estimate_gemm_tensor(op, card, kConstants).seconds;
}

TEST(GemmTensorTime, ALargeProductRunsNearTheCardsRate) {
  const OpCard card = plain_card();
  const OpTime time = estimate_gemm_tensor(product(8192, 8192, 8192), card, kConstants);
  const double ideal = 2.0 * std::pow(8192.0, 3) / card.rate;
  EXPECT_GT(time.seconds, ideal);
  EXPECT_LT(time.seconds, 1.08 * ideal);
  EXPECT_EQ(Bound::kCompute, time.bound);
}

TEST(GemmTensorTime, ASkinnyProductStreamsItsWeights) {
  // 16384 x 16384 weights of 2 B at 1 TB/s: 537 us, behind 2 us of floor and 5000 cycles.
  const OpTime time = estimate_gemm_tensor(product(1, 16384, 16384), plain_card(), kConstants);
  EXPECT_NEAR(2.0 * 16384 * 16384 / 1e12 + 7e-6, time.seconds, 0.05 * time.seconds);
  EXPECT_EQ(Bound::kMemory, time.bound);
}

TEST(GemmTensorTime, OneTileBeyondAFullWaveCostsLessFromHopperOn) {
  OpCard card = plain_card();
  // 10 x 10 tiles of 256 x 128 fill the card once; one row more needs tiles of a second wave.
  const auto step = [&] {
    return seconds(product(2561, 1280, 8192), card) / seconds(product(2560, 1280, 8192), card);
  };
  const double before = step();
  card.generation = {9, 0};
  EXPECT_LT(step(), before);
  EXPECT_GT(before, 1.05);
}

TEST(GemmTensorTime, AHungryCardLosesClockInLongKernelsOnly) {
  // Process 1.43 x 0.4 pJ x 102.4 TFLOP/s at 1 GHz: 58.6 W. A limit of an eighth halves the clock.
  OpCard card = plain_card();
  const Op large = product(32768, 32768, 32768);
  const Op small = product(1024, 1024, 1024);
  const double free_large = seconds(large, card);
  const double free_small = seconds(small, card);
  card.watts = 1.43 * 0.4e-12 * card.peak / 8;
  EXPECT_NEAR(2.0, seconds(large, card) / free_large, 0.05);
  EXPECT_LT(seconds(small, card) / free_small, 1.05);
}

TEST(GemmTensorTime, AFormatOfTwiceTheSizeReadsTwiceAsMuch) {
  const double half = seconds(product(1, 16384, 16384), plain_card());
  const double single = seconds(product(1, 16384, 16384, Math::kTf32), plain_card());
  EXPECT_NEAR(2.0, (single - 7e-6) / (half - 7e-6), 0.1);
}

TEST(GemmTensorTime, ABetterCardIsNeverSlower) {
  for (const auto& op : {product(300, 700, 2000), product(4096, 4096, 4096), product(7, 5120, 5120),
                         product(16, 64, 65536), product(32768, 65536, 64)}) {
    OpCard card = plain_card();
    card.watts = 40;
    const double base = seconds(op, card);
    for (double OpCard::*member : {&OpCard::rate, &OpCard::stream, &OpCard::l2_bandwidth,
                                   &OpCard::l2_bytes, &OpCard::watts}) {
      OpCard better = card;
      better.*member *= 1.5;
      EXPECT_LE(seconds(op, better), base * (1 + 1e-12));
    }
    OpCard larger =
        card;  // more SMs of the same kind: fewer tiles on each, so DRAM may idle a little
    larger.sms *= 1.3;
    larger.rate *= 1.3;
    larger.peak *= 1.3;
    larger.watts *= 1.3;
    EXPECT_LE(seconds(op, larger), base * 1.05);
  }
}

TEST(GemmTensorTime, AnyShapeOnAnyCardHasATime) {
  OpCard poor = plain_card();
  poor.l2_bytes = poor.l2_bandwidth = poor.peak = poor.watts = 0;
  OpCard hot = plain_card();
  hot.watts = 1;
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  for (const OpCard& card : {poor, hot}) {
    for (const std::int64_t m : {std::int64_t{1}, std::int64_t{129}, kMost}) {
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{7}, kMost}) {
        for (const std::int64_t k : {std::int64_t{1}, std::int64_t{4097}, kMost}) {
          for (const auto estimate : {estimate_gemm_tensor, estimate_gemm_fp8}) {
            const double time = estimate(product(m, n, k), card, kConstants).seconds;
            EXPECT_TRUE(std::isfinite(time)) << m << ' ' << n << ' ' << k;
            EXPECT_GE(time, card.floor);
          }
        }
      }
    }
  }
}

TEST(GemmFp8Time, TheConversionReadsTwiceAndWritesOnce) {
  // 32768 x 65536 of A: 5 B of conversion and 1 B of product an element at 1 TB/s.
  const Op op = product(32768, 32, 65536, Math::kFp8);
  OpCard card = plain_card();
  card.rate = card.peak = 1e18;
  const double elements = 32768.0 * 65536.0;
  EXPECT_NEAR(6.0 * elements / 1e12, estimate_gemm_fp8(op, card, kConstants).seconds,
              0.03 * 6.0 * elements / 1e12);
}

}  // namespace
}  // namespace uplift::predict
