// SPDX-License-Identifier: Apache-2.0
// The arithmetic of quantities, and, at compile time, the arithmetic that must not exist.
#include "uplift/core/quantity.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace uplift {
namespace {

// Each names the type of an expression, or fails to: what a mistake in a formula would write.
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Divisible = requires(A a, B b) {
  a / b;
};
template <class A, class B>
concept Multipliable = requires(A a, B b) {
  a* b;
};

static_assert(Addable<Seconds, Seconds>);
static_assert(!Addable<Seconds, Bytes>);
static_assert(!Addable<Seconds, double>);
static_assert(!Multipliable<Seconds, Seconds>);
static_assert(!Divisible<Seconds, Bytes>);
static_assert(!Divisible<Flops, BytesPerSecond>);
static_assert(!Divisible<double, Seconds>);
static_assert(!std::is_convertible_v<double, Seconds>);
static_assert(!std::is_convertible_v<Seconds, double>);
static_assert(std::is_same_v<decltype(Seconds(1) / Seconds(1)), double>);
static_assert(std::is_trivially_copyable_v<Seconds> && sizeof(Seconds) == sizeof(double));

TEST(Quantity, StartsAtZero) { EXPECT_EQ(Seconds().value(), 0.0); }

TEST(Quantity, BytesOverBandwidthIsTime) {
  // 1.8 GB at 900 GB/s, the data-sheet bandwidth of a V100 SXM2: 2 ms.
  EXPECT_DOUBLE_EQ((Bytes(1.8e9) / BytesPerSecond(900e9)).value(), 2e-3);
}

TEST(Quantity, FlopsOverRateIsTime) {
  // A 4096^3 GEMM is 2 * 4096^3 = 137 438 953 472 FLOP; at 125 TFLOP/s that is 1.0995 ms.
  EXPECT_NEAR((Flops(2.0 * 4096 * 4096 * 4096) / FlopsPerSecond(125e12)).value(), 1.0995e-3, 1e-7);
}

TEST(Quantity, RidgePointIsRateOverBandwidth) {
  // 125e12 / 900e9 = 138.9 FLOP/B.
  const FlopsPerByte ridge = FlopsPerSecond(125e12) / BytesPerSecond(900e9);
  EXPECT_NEAR(ridge.value(), 138.889, 1e-3);
  EXPECT_LT(Flops(100) / Bytes(1), ridge);
}

TEST(Quantity, DivisionAndMultiplicationUndoEachOther) {
  const BytesPerSecond rate = Bytes(6e9) / Seconds(2);
  EXPECT_DOUBLE_EQ(rate.value(), 3e9);
  EXPECT_DOUBLE_EQ((Bytes(6e9) / rate).value(), 2.0);
  EXPECT_DOUBLE_EQ((Watts(300) * Seconds(2)).value(), 600.0);
  EXPECT_DOUBLE_EQ((Flops(8) / Seconds(2)).value(), 4.0);
}

TEST(Quantity, AddsScalesAndCompares) {
  Seconds total(1);
  total += Seconds(2);
  total -= Seconds(0.5);
  EXPECT_DOUBLE_EQ(total.value(), 2.5);
  EXPECT_EQ(2.0 * Seconds(3), Seconds(3) * 2.0);
  EXPECT_EQ(Seconds(6) / 2.0, Seconds(3));
  EXPECT_EQ(Seconds(1) + Seconds(2) - Seconds(3), Seconds(0));
  EXPECT_LT(Seconds(1), Seconds(2));
}

TEST(Quantity, NanosecondsAreExactUpToADoublesDigits) {
  EXPECT_DOUBLE_EQ(from_nanoseconds(1'500'000'000).value(), 1.5);
  EXPECT_DOUBLE_EQ(from_nanoseconds(1).value(), 1e-9);
}

}  // namespace
}  // namespace uplift
