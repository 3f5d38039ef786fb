// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace uplift::report {
namespace {

TEST(Units, ThreeSignificantDigitsAndAUnitThatFits) {
  EXPECT_EQ(format_seconds(1.64e-6), "1.64 µs");
  EXPECT_EQ(format_seconds(0.0425), "42.5 ms");
  EXPECT_EQ(format_seconds(12.3456), "12.3 s");
  EXPECT_EQ(format_seconds(4.2e-10), "0.420 ns");
  EXPECT_EQ(format_seconds(86400.0), "86,400 s");
  EXPECT_EQ(format_bytes(80e9), "80.0 GB");
  EXPECT_EQ(format_bytes_binary(62914560.0), "60.0 MiB");
  EXPECT_EQ(format_byte_rate(2.039e12), "2.04 TB/s");
  EXPECT_EQ(format_flop_rate(989.4e12), "989 TFLOP/s");
  EXPECT_EQ(format_flop_rate(1978.9e12), "1.98 PFLOP/s");
  EXPECT_EQ(format_hertz(1.41e9), "1.41 GHz");
  EXPECT_EQ(format_watts(400.0), "400 W");
  EXPECT_EQ(format_ratio(1.5912), "1.59×");
  EXPECT_EQ(format_percent(0.2543), "25.4 %");
}

TEST(Units, RoundingChoosesTheUnit) {
  EXPECT_EQ(format_seconds(999.9e-6), "1.00 ms");
  EXPECT_EQ(format_seconds(999.4e-6), "999 µs");
  EXPECT_EQ(format_number(9.999), "10.0");
  EXPECT_EQ(format_number(99.96), "100");
}

TEST(Units, CountsHaveThousands) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(-1234567), "-1,234,567");
}

TEST(Units, ZeroAndSigns) {
  EXPECT_EQ(format_seconds(0.0), "0 ns");
  EXPECT_EQ(format_seconds(-1.5e-3), "-1.50 ms");
  EXPECT_EQ(format_number(0.0), "0");
}

TEST(Units, NotFiniteIsUnknown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double value : {nan, inf, -inf}) {
    EXPECT_EQ(format_seconds(value), "–");
    EXPECT_EQ(format_ratio(value), "–");
    EXPECT_EQ(format_percent(value), "–");
    EXPECT_EQ(format_number(value), "–");
    EXPECT_EQ(format_raw(value), "");
  }
}

TEST(Units, DataSheetNumbersKeepFourDigits) {
  EXPECT_EQ(format_in_unit(989.4e12, "TFLOP/s", UnitKind::kComputeRate), "989.4");
  EXPECT_EQ(format_in_unit(1978.9e12, "TFLOP/s", UnitKind::kComputeRate), "1,979");
  EXPECT_EQ(format_in_unit(0.254e12, "TFLOP/s", UnitKind::kComputeRate), "0.254");
  EXPECT_EQ(format_in_unit(65536.0, "count", UnitKind::kCount), "65,536");
  EXPECT_EQ(format_in_unit(1.0, "GB/s", UnitKind::kBytes), "–");
}

RC_GTEST_PROP(Units, RawNumbersReadBackTheSame, (double value)) {
  if (std::isfinite(value)) RC_ASSERT(std::stod(format_raw(value)) == value);
}

RC_GTEST_PROP(Units, ThreeDigitsAreWithinHalfAPercent, ()) {
  const double value = std::pow(10.0, *rc::gen::inRange(-60, 20) / 10.0);
  RC_ASSERT(std::abs(std::stod(format_number(value)) / value - 1.0) < 0.00501 || value >= 1000.0);
}

}  // namespace
}  // namespace uplift::report
