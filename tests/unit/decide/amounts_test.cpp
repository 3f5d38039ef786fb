// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/amounts.hpp"

#include <gtest/gtest.h>

namespace uplift::decide {
namespace {

TEST(Amounts, ThreeSignificantDigits) {
  EXPECT_EQ("11.6 ms", time_text(0.01158));
  EXPECT_EQ("1.00 ms", time_text(0.0009999));
  EXPECT_EQ("633 µs", time_text(0.000633));
  EXPECT_EQ("2.50 s", time_text(2.5));
  EXPECT_EQ("0.00 µs", time_text(0));
  EXPECT_EQ("77.1 MB", bytes_text(77'070'336));
  EXPECT_EQ("4 B", bytes_text(4));
}

TEST(Amounts, SharesAndCounts) {
  EXPECT_EQ("41 %", share_text(0.414));
  EXPECT_EQ("1.3 %", share_text(0.0128));
  EXPECT_EQ("1 copy", count_text(1, "copy", "copies"));
  EXPECT_EQ("26 copies", count_text(26, "copy", "copies"));
  EXPECT_EQ("3 kernels", count_text(3, "kernel"));
}

}  // namespace
}  // namespace uplift::decide
