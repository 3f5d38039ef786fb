// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/op_table_csv.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace uplift::report {
namespace {

std::string row(std::string_view raw, std::size_t missing, const OpPrediction& prediction,
                std::string_view line_end = "\n") {
  std::string out;
  append_answer_row(out, raw, missing, prediction, line_end);
  return out;
}

TEST(OpTableCsv, ColumnsAreAddedAtTheEnd) {
  std::string out;
  append_answer_header(out, "kind,shape", "\r\n");
  EXPECT_EQ("kind,shape,target_seconds,low_seconds,high_seconds,bound,note\r\n", out);
  EXPECT_EQ("\"a, b\",x,0.000123457,1e-05,2,memory,\n",
            row("\"a, b\",x", 0, {true, 0.000123456789, 1e-5, 2.0, Bound::kMemory, {}}));
}

TEST(OpTableCsv, AShortRowIsFilledUp) {
  EXPECT_EQ("x,,,,,,,why\r\n", row("x", 2, {false, 0, 0, 0, Bound::kLaunch, "why"}, "\r\n"));
}

TEST(OpTableCsv, ANoteStandsInQuotesWhereItMust) {
  EXPECT_EQ("x,,,,,\"a, \"\"b\"\"\"\n", row("x", 0, {false, 0, 0, 0, Bound::kLaunch, "a, \"b\""}));
  EXPECT_EQ("x,,,,,\"a\\nb\"\n", row("x", 0, {false, 0, 0, 0, Bound::kLaunch, "a\nb"}));
}

TEST(OpTableCsv, WhatIsNotFiniteIsLeftOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ("x,,,1,cache,\n", row("x", 0, {true, nan, nan, 1.0, Bound::kCache, {}}));
}

}  // namespace
}  // namespace uplift::report
