// SPDX-License-Identifier: Apache-2.0
// Tiles and waves, on products small enough to count by hand.
#include "uplift/predict/tiled_product.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

constexpr FlopsPerSecond kRate{100e12};

TEST(TiledProduct, ALargeProductRunsNearTheCardsRate) {
  const Seconds time = estimate_tiled({1, 8192, 8192, 8192}, Math::kBf16, kRate, 108);
  const double ideal = 2.0 * 8192.0 * 8192.0 * 8192.0 / 100e12;
  EXPECT_GT(time.value(), ideal);
  EXPECT_LT(time.value(), 1.10 * ideal);
}

TEST(TiledProduct, ASmallProductIsSpreadInSmallTiles) {
  // 64 steps cannot be split. One 256 x 128 tile would keep one SM of 1 TFLOP/s busy for 10.5 us;
  // 32 tiles of 32 x 32 at efficiency 0.50 take 2 x 32 x 32 x (64 + 96) / 0.5e12 = 0.66 us.
  const Seconds time = estimate_tiled({1, 256, 128, 64}, Math::kBf16, kRate, 100);
  EXPECT_NEAR(2.0 * 32 * 32 * 160 / 0.5e12, time.value(), 1e-12);
}

TEST(TiledProduct, MoreMultiprocessorsOfTheSameKindNeverSlowItDown) {
  for (const GemmShape product : {GemmShape{1, 300, 700, 2000}, GemmShape{8, 129, 65, 100000}}) {
    double last = 1e9;
    for (int sms = 10; sms < 200; ++sms) {
      const FlopsPerSecond rate{1e12 * sms};
      const double time = estimate_tiled(product, Math::kFp32, rate, sms).value();
      EXPECT_LE(time, last * (1 + 1e-12)) << sms;
      last = time;
    }
  }
}

TEST(TiledProduct, AConvolutionIsTheProductOfItsPatches) {
  ConvShape conv;
  conv.n = 32;
  conv.c = 64;
  conv.k = 128;
  conv.spatial = {1, 56, 56};
  conv.filter = {1, 3, 3};
  conv.out = {1, 28, 28};
  const auto forward = as_product(conv);
  ASSERT_TRUE(forward);
  EXPECT_EQ((GemmShape{1, 32 * 28 * 28, 128, 64 * 9}), *forward);
  conv.pass = ConvPass::kWeightGradient;
  EXPECT_EQ((GemmShape{1, 64 * 9, 128, 32 * 28 * 28}), *as_product(conv));
}

TEST(TiledProduct, EveryPassHasTheFlopsOfTheConvolution) {
  ConvShape conv;
  conv.n = 4;
  conv.c = 24;
  conv.k = 36;
  conv.groups = 3;
  conv.spatial = {1, 14, 14};
  conv.filter = {1, 3, 3};
  conv.out = {1, 14, 14};
  for (const ConvPass pass :
       {ConvPass::kForward, ConvPass::kDataGradient, ConvPass::kWeightGradient}) {
    conv.pass = pass;
    EXPECT_DOUBLE_EQ(flops(conv).value(), flops(*as_product(conv)).value());
  }
}

TEST(TiledProduct, OtherShapesAreNoProduct) {
  EXPECT_FALSE(as_product(TensorShape{10, 10}));
  EXPECT_FALSE(as_product(std::monostate{}));
}

}  // namespace
}  // namespace uplift::predict
