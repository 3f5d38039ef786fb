// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/gemm_time.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <initializer_list>

namespace uplift::predict {
namespace {

/// 100 SMs of 64 lanes at 1 GHz: 12.8 TFLOP/s of peak.
OpCard card_of(int major, int minor) {
  OpCard card;
  card.generation = {major, minor};
  card.sms = 100;
  card.clock = 1e9;
  card.shared_bytes_per_sm = 98304;
  card.l2_bytes = 6e6;
  card.rate = 12e12;
  card.peak = 12.8e12;
  card.stream = 800e9;
  card.floor = 2e-6;
  return card;
}

Op product(std::int64_t b, std::int64_t m, std::int64_t n, std::int64_t k) {
  Op op;
  op.kind = OpKind::kGemm;
  op.shape = GemmShape{b, m, n, k};
  return op;
}

double seconds(const Op& op, const OpCard& card, Layout layout) {
  if (layout == Layout::kPlain) {
    return estimate_product(op, card, BatchedProductConstants(), layout).seconds;
  }
  return estimate_product(op, card, ProductConstants(), layout).seconds;
}

constexpr std::array kLayouts = {Layout::kTransposed, Layout::kPlain};
constexpr std::array kGenerations = {ComputeCapability{6, 0}, ComputeCapability{7, 0},
                                     ComputeCapability{7, 5}, ComputeCapability{8, 0},
                                     ComputeCapability{9, 0}};

TEST(GemmTiles, CoverTheOutput) {
  // Compute capability 6 runs batched products in tiles of 128 columns by 64 rows.
  const Product batched{4, 100, 300, 50, Layout::kPlain};
  const Tiling early = choose_tiling(batched, card_of(6, 1));
  EXPECT_EQ(early.columns, 128);
  EXPECT_EQ(early.rows, 64);
  EXPECT_EQ(early.blocks(4), 4 * 3 * 2);  // ceil(300/128) across, ceil(100/64) down
  EXPECT_EQ(early.steps, 56);             // contraction in eights
  EXPECT_EQ(choose_tiling(batched, card_of(8, 0)).rows, 128);
}

TEST(GemmTiles, SplitALongContractionOfFewOutputs) {
  for (const auto generation : kGenerations) {
    const auto card = card_of(generation.major, generation.minor);
    const Product few{1, 64, 64, 100000, Layout::kTransposed};
    EXPECT_GT(choose_tiling(few, card).splits, 1);
    const Product many{1, 8192, 8192, 100000, Layout::kTransposed};
    EXPECT_EQ(choose_tiling(many, card).splits, 1);
  }
}

TEST(GemmTiles, FewWarpsTakeAsLongAsThoseThatHideLatency) {
  Tiling one;
  one.warps = 2;
  one.resident = 8;
  const auto card = card_of(7, 0);
  EXPECT_DOUBLE_EQ(count_rounds(one, 1, card, 6.0), 3.0);    // 6 warps are three blocks
  EXPECT_DOUBLE_EQ(count_rounds(one, 800, card, 6.0), 8.0);  // eight on each of 100 SMs
  EXPECT_DOUBLE_EQ(count_rounds(one, 900, card, 6.0), 11.0);
}

TEST(GemmTime, LargeProductRunsNearTheRate) {
  // 2 x 8192^3 FLOP at 12 TFLOP/s is 91.6 ms.
  for (const auto generation : kGenerations) {
    for (const Layout layout : kLayouts) {
      const double time = seconds(product(1, 8192, 8192, 8192),
                                  card_of(generation.major, generation.minor), layout);
      EXPECT_GT(time, 0.0916);
      EXPECT_LT(time, generation.major < 7 ? 0.0916 * 2.5 : 0.0916 * 1.5);
    }
  }
}

TEST(GemmTime, ThinProductWaitsForItsWeight) {
  // One row times 16384 x 16384 weights: 1.07 GB at 800 GB/s is 1.34 ms, in FP64 twice that.
  const auto card = card_of(8, 0);
  Op op = product(1, 1, 16384, 16384);
  const OpTime single = estimate_product(op, card, ProductConstants(), Layout::kTransposed);
  EXPECT_GT(single.seconds, 1.2e-3);
  EXPECT_LT(single.seconds, 2.8e-3);
  op.element_bytes = op.out_element_bytes = 8;
  const OpTime wide = estimate_product(op, card, ProductConstants(), Layout::kTransposed);
  EXPECT_NEAR(wide.seconds / single.seconds, 2.0, 0.5);
}

TEST(GemmTime, FasterCardsAreNotSlower) {
  for (const auto generation : kGenerations) {
    for (const Layout layout : kLayouts) {
      for (const auto& op : {product(1, 100, 3000, 20000), product(7, 500, 60, 90),
                             product(300, 33, 65, 1000), product(1, 4096, 4096, 4096)}) {
        const auto card = card_of(generation.major, generation.minor);
        const double base = seconds(op, card, layout);
        auto faster = card;
        faster.rate *= 1.05;
        EXPECT_LE(seconds(op, faster, layout), base * (1 + 1e-12));
        faster = card;
        faster.stream *= 1.5;
        EXPECT_LE(seconds(op, faster, layout), base * (1 + 1e-12));
        faster = card;
        faster.l2_bytes *= 2;
        EXPECT_LE(seconds(op, faster, layout), base * (1 + 1e-12));
      }
    }
  }
}

TEST(GemmTime, AnyShapeOnAnyCardHasATime) {
  for (const auto generation : kGenerations) {
    auto bare = card_of(generation.major, generation.minor);
    bare.l2_bytes = bare.peak = bare.shared_bytes_per_sm = bare.watts = 0;
    bare.sms = 1;
    for (const auto& card : {card_of(generation.major, generation.minor), bare}) {
      for (const Layout layout : kLayouts) {
        const std::int64_t far = std::int64_t{1} << 40;
        for (const std::int64_t m : {std::int64_t{1}, std::int64_t{1000}, far}) {
          for (const std::int64_t n : {std::int64_t{1}, far}) {
            for (const std::int64_t k : {std::int64_t{1}, far}) {
              for (const std::int64_t b : {std::int64_t{1}, far}) {
                const double time = seconds(product(b, m, n, k), card, layout);
                EXPECT_TRUE(std::isfinite(time));
                EXPECT_GE(time, card.floor);
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace uplift::predict
