// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/op_table_totals.hpp"

#include <gtest/gtest.h>

namespace uplift::decide {
namespace {

TEST(OpTableTotals, CallsAreCounted) {
  OpTableTotals totals(2);
  totals.add({"a", "gemm", "fp16", "", 10, 2.0}, {true, 1.0, 0.5, 2.0, Bound::kCompute, {}});
  totals.add({"b", "gemm", "fp16", "", 1, {}}, {true, 5.0, 4.0, 6.0, Bound::kMemory, {}});
  totals.add({"c", "gemm", "fp16", "", 1, 9.0}, {true, 3.0, 2.0, 4.0, Bound::kMemory, {}});
  totals.add({"d", "gemm", "fp16", "", 1, 9.0}, {false, 0, 0, 0, Bound::kLaunch, "why"});
  totals.add({"e", "gemm", "fp16", "", 1, 9.0}, {false, 0, 0, 0, Bound::kLaunch, "why"});
  const OpTableSummary summary = totals.finish();
  EXPECT_EQ(5, summary.rows);
  EXPECT_EQ(3, summary.answered);
  EXPECT_EQ(18.0, summary.target_seconds);
  EXPECT_EQ(8.0, summary.seconds_by_bound[static_cast<std::size_t>(Bound::kMemory)]);
  EXPECT_EQ(2, summary.compared);
  EXPECT_EQ(29.0, summary.source_seconds);
  EXPECT_EQ(13.0, summary.compared_target_seconds);
  ASSERT_EQ(2U, summary.longest.size());
  EXPECT_EQ("a", summary.longest[0].name);
  EXPECT_EQ("b", summary.longest[1].name);
  ASSERT_EQ(1U, summary.refusals.size());
  EXPECT_EQ(2, summary.refusals[0].rows);
  EXPECT_EQ("d", summary.refusals[0].first_row);
}

}  // namespace
}  // namespace uplift::decide
