// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/gpu_comparison.hpp"

#include "uplift/report/gpu_document.hpp"

#include <gtest/gtest.h>

namespace uplift::report {
namespace {

Fact fact(double value) { return {value, "a test", Provenance::kRead, ""}; }

FormatSupport tensor(std::string word) {
  FormatSupport support;
  support.format = std::move(word);
  support.tensor_core = true;
  return support;
}

class TwoBoards : public testing::Test {
 protected:
  void SetUp() override {
    old_.id = "old";
    old_.sm_count = fact(100);
    old_.dense_peak[index(Math::kFp64)] = fact(10e12);
    old_.dense_peak[index(Math::kInt4)] = fact(1000e12);
    old_.nvlink_links = fact(12);
    old_.nvlink_bandwidth = fact(600e9);
    old_.board_power = fact(400);
    new_.id = "new";
    new_.sm_count = fact(50);
    new_.dense_peak[index(Math::kFp64)] = fact(5e12);
    new_.dense_peak[index(Math::kFp8)] = fact(2000e12);
    new_.nvlink_links = fact(0);
    new_.board_power = fact(700);
    old_formats_.formats = {tensor("fp16"), tensor("int4")};
    new_formats_.formats = {tensor("fp16"), tensor("fp8")};
    const BoardView boards[] = {{&old_, &old_formats_}, {&new_, &new_formats_}};
    comparison_ = compare_boards(boards);
  }
  const ComparisonCell& cell(std::string_view path) const {
    for (const ComparisonRow& row : comparison_.rows) {
      if (row.field->path == path) return row.cells[1];
    }
    ADD_FAILURE() << "no row " << path;
    static const ComparisonCell kNone;
    return kNone;
  }
  Gpu old_, new_;
  CapabilityFormats old_formats_, new_formats_;
  Comparison comparison_;
};

TEST_F(TwoBoards, RatiosAreAgainstTheFirst) {
  EXPECT_EQ(cell("peak.dense.fp64").ratio, 0.5);
  EXPECT_TRUE(cell("peak.dense.fp64").downgrade);
}

TEST_F(TwoBoards, WhatIsGoneIsADowngradeWithoutARatio) {
  EXPECT_EQ(cell("peak.dense.int4").presence, Presence::kAbsent);
  EXPECT_TRUE(cell("peak.dense.int4").downgrade);
  EXPECT_FALSE(cell("peak.dense.int4").ratio);
  EXPECT_EQ(cell("link.nvlink_bandwidth").presence, Presence::kAbsent);
  EXPECT_TRUE(cell("link.nvlink_bandwidth").downgrade);
}

TEST_F(TwoBoards, WhatIsNewIsNoDowngrade) {
  EXPECT_FALSE(cell("peak.dense.fp8").downgrade);
  EXPECT_FALSE(cell("peak.dense.fp8").ratio);
}

TEST_F(TwoBoards, FewerSmsAndMorePowerAreMeansNotEnds) {
  EXPECT_FALSE(cell("compute.sm_count").downgrade);
  EXPECT_FALSE(cell("board.power").downgrade);
  EXPECT_EQ(cell("board.power").ratio, 1.75);
}

TEST_F(TwoBoards, FormatsThatComeAndGoAreNamed) {
  EXPECT_EQ(comparison_.formats[1].gained, std::vector<std::string>{"fp8"});
  EXPECT_EQ(comparison_.formats[1].lost, std::vector<std::string>{"int4"});
  EXPECT_TRUE(comparison_.formats[0].gained.empty());
}

TEST_F(TwoBoards, RowsThatNobodyKnowsAreLeftOut) {
  for (const ComparisonRow& row : comparison_.rows) EXPECT_NE(row.field->path, "memory.l2");
}

TEST_F(TwoBoards, ABoardAgainstItselfHasNoDowngrade) {
  const BoardView boards[] = {{&old_, &old_formats_}, {&old_, &old_formats_}};
  for (const ComparisonRow& row : compare_boards(boards).rows) {
    EXPECT_FALSE(row.cells[1].downgrade) << row.field->path;
    if (row.cells[1].presence == Presence::kKnown) {
      EXPECT_EQ(row.cells[1].ratio, 1.0);
    }
  }
}

TEST_F(TwoBoards, TheTableFlagsDowngrades) {
  const BoardView boards[] = {{&old_, &old_formats_}, {&new_, &new_formats_}};
  const std::string text = render_text(compare_document(boards), {});
  EXPECT_NE(text.find("0.500× ▼"), std::string::npos) << text;
  EXPECT_NE(text.find("lost ▼"), std::string::npos) << text;
  EXPECT_NE(text.find("gained FP8; lost INT4"), std::string::npos) << text;
}

TEST_F(TwoBoards, ABareBoardStillHasADocument) {
  const BoardView boards[] = {{&new_, nullptr}};
  EXPECT_FALSE(render_text(gpu_document(boards[0]), {}).empty());
  EXPECT_FALSE(render_csv(gpu_list_document(boards)).empty());
}

}  // namespace
}  // namespace uplift::report
