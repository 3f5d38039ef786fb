// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/timing_table.hpp"

#include "tests/unit/read/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace uplift::read {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

const std::string kHeader = "gpu,kind,math,shape,seconds,timing\n";
const std::string kAdd = "elementwise,fp32,n=1000;inputs=2;outputs=1;op=add";

Result<TimingTable> load(const std::string& text) {
  const TemporaryFolder folder;
  return load_timings(folder.write("t.csv", text));
}

std::string error_of(const std::string& text) {
  const auto table = load(text);
  EXPECT_FALSE(table);
  return table ? "" : table.error().line();
}

TEST(TimingTable, RowsNameTheirCardAndWhatWasTimed) {
  const auto table = load(kHeader + "T4," + kAdd + ",1e-5,kernel\na100-sxm4-80gb," + kAdd +
                          ",2e-5,call\n\nT4," + kAdd + ",3e-5,\n");
  ASSERT_TRUE(table) << table.error().line();
  EXPECT_THAT(table->gpus, ElementsAre("T4", "a100-sxm4-80gb"));
  ASSERT_EQ(3U, table->rows.size());
  EXPECT_EQ(0U, table->unusable);
  EXPECT_EQ(OpKind::kElementwise, table->rows[0].op.kind);
  EXPECT_EQ(1000, std::get<ElementwiseShape>(table->rows[0].op.shape).n);
  EXPECT_DOUBLE_EQ(2e-5, table->rows[1].seconds);
  EXPECT_EQ(1U, table->rows[1].gpu);
  EXPECT_EQ(0U, table->rows[2].gpu);
  EXPECT_FALSE(table->rows[0].with_launch);
  EXPECT_TRUE(table->rows[1].with_launch);
  EXPECT_FALSE(table->rows[2].with_launch);
}

TEST(TimingTable, ColumnsMayStandInAnyOrderAndTimingMayBeMissing) {
  const auto table =
      load("seconds,shape,note,math,kind,gpu\n1e-3,rows=8;cols=9,x,fp16,softmax,t4\n");
  ASSERT_TRUE(table) << table.error().line();
  ASSERT_EQ(1U, table->rows.size());
  EXPECT_EQ(Math::kFp16, table->rows[0].op.math);
  EXPECT_FALSE(table->rows[0].with_launch);
}

TEST(TimingTable, RowsThatSayTooLittleAreCountedAndTheFirstIsTold) {
  const auto table =
      load(kHeader + "t4," + kAdd + ",0,\n," + kAdd + ",1e-5,\nt4,matmul,fp32,m=1," + "1e-5,\nt4," +
           kAdd + ",soon,\nt4," + kAdd + ",1e-5,\nt4," + kAdd + ",-1,\n");
  ASSERT_TRUE(table) << table.error().line();
  EXPECT_EQ(1U, table->rows.size());
  EXPECT_EQ(5U, table->unusable);
  EXPECT_THAT(table->first_unusable, testing::StartsWith("line 2: seconds is "));
}

TEST(TimingTable, WhatIsNoTableOfTimingsIsRefused) {
  EXPECT_THAT(error_of("kind,math,shape,seconds\n"),
              HasSubstr("t.csv: has no column gpu; timings"));
  EXPECT_THAT(error_of("gpu,kind,math,shape\n"), HasSubstr("has no column seconds"));
  EXPECT_THAT(error_of(kHeader), EndsWith("holds no timing"));
  EXPECT_THAT(error_of(kHeader + "t4," + kAdd + ",0,\n"),
              HasSubstr("holds no usable timing; line 2: "));
  EXPECT_THAT(error_of(kHeader + "," + kAdd + ",1,\n"), HasSubstr("line 2: names no gpu"));
  EXPECT_EQ(ErrorKind::kIo, load_timings("/nonexistent/t.csv").error().kind);
}

}  // namespace
}  // namespace uplift::read
