// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/op_table_reader.hpp"

#include "tests/unit/read/memory_source.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace uplift::read {
namespace {

using testing::HasSubstr;

struct Row {
  std::string name, note;
  std::int64_t count = 0;
  std::optional<double> seconds;
  bool usable = false;
};

std::vector<Row> read(const std::string& text) {
  MemorySource source(text);
  auto table = OpTableReader::open(source, "t.csv");
  EXPECT_TRUE(table) << table.error().line();
  std::vector<Row> rows;
  for (;;) {
    const auto record = table->next();
    EXPECT_TRUE(record);
    if (*record == nullptr) return rows;
    if ((*record)->blank()) continue;
    const OpRow& row = table->parse(**record);
    rows.push_back(
        {std::string(row.name), std::string(row.note), row.count, row.source_seconds, row.usable});
  }
}

std::string error_of(const std::string& text) {
  MemorySource source(text);
  const auto table = OpTableReader::open(source, "t.csv");
  return table ? "" : table.error().line();
}

constexpr const char* kHeader = "name,kind,math,shape,count,source_seconds\n";

TEST(OpTableReader, ARowAsInTheContract) {
  const auto rows =
      read(std::string(kHeader) + "q_proj,gemm,bf16,b=1;m=4096;n=4096;k=4096,32,0.000231\n");
  ASSERT_EQ(1U, rows.size());
  EXPECT_TRUE(rows[0].usable) << rows[0].note;
  EXPECT_EQ("q_proj", rows[0].name);
  EXPECT_EQ(32, rows[0].count);
  EXPECT_EQ(0.000231, rows[0].seconds);
}

TEST(OpTableReader, ColumnsInAnyOrderWithOthersBetweenThem) {
  const auto rows = read("extra, Shape ,kind,more,math\n1,rows=2;cols=3,softmax,\"a,b\",fp16\n");
  EXPECT_TRUE(rows[0].usable) << rows[0].note;
  EXPECT_EQ("", rows[0].name);
  EXPECT_EQ(1, rows[0].count);
  EXPECT_FALSE(rows[0].seconds);
}

TEST(OpTableReader, AShortRowLacksItsLastColumns) {
  const auto rows = read(std::string(kHeader) + "a,softmax,fp16,rows=2;cols=3\nb,softmax\n");
  EXPECT_TRUE(rows[0].usable) << rows[0].note;
  EXPECT_THAT(rows[1].note, HasSubstr("math is empty"));
}

TEST(OpTableReader, WhatIsWrongWithARowIsItsNote) {
  const auto rows = read(std::string(kHeader) +
                         "a,softmax,fp16,rows=2;cols=3,0,\n"
                         "b,softmax,fp16,rows=2;cols=3,1.5,\n"
                         "c,softmax,fp16,rows=2;cols=3,1,0\n"
                         "d,softmax,fp16,rows=2;cols=3,1,nan\n"
                         "e,softmax,fp16,rows=2;cols=3,1,-0.1\n"
                         "f,softmax,fp16,rows=2;cols=3,1,1e10\n"
                         "g,softmax,fp16,rows=2;cols=3,1,1 ms\n"
                         "h,softmax,fp16,rows=2;cols=3,1,1,one,two\n"
                         "\"i\" ,softmax,fp16,rows=2;cols=3,1,1e-4\n"
                         "j,softmax,fp16,rows=2;cols=3,1,1e-4\n");
  const char* const kNotes[] = {"count is 0",
                                "count is not a whole number: '1.5'",
                                "source_seconds is 0; leave it empty if it is not known",
                                "source_seconds is not a number: 'nan'",
                                "source_seconds is negative: '-0.1'",
                                "source_seconds is not the time of one call in seconds: '1e10'",
                                "source_seconds is not a number: '1 ms'",
                                "the row has 8 fields, the header 6",
                                "text behind a closing quote",
                                ""};
  ASSERT_EQ(std::size(kNotes), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(kNotes[i], rows[i].note);
  EXPECT_TRUE(rows.back().usable);
}

TEST(OpTableReader, WhatIsNoTableIsAnError) {
  EXPECT_EQ("t.csv: holds nothing but empty lines; a table has a header line and one line per row",
            error_of("\n\r\n"));
  EXPECT_THAT(error_of("name,shape\n"), HasSubstr("t.csv:1: the header has no column kind; "));
  EXPECT_THAT(error_of("\nname,kind\n"), HasSubstr("t.csv:2: the header has no column shape; "));
  EXPECT_THAT(error_of("kind,shape,Kind\n"), HasSubstr("two columns are named kind; rename"));
  EXPECT_THAT(error_of("{\"traceEvents\": []}"),
              HasSubstr("begins like JSON, not like an op table"));
  EXPECT_THAT(error_of("kind,shape\rgemm,m=1\r"), HasSubstr("a lone carriage return"));
}

}  // namespace
}  // namespace uplift::read
