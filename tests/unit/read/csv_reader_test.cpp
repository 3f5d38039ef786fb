// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/csv_reader.hpp"

#include "tests/unit/read/memory_source.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace uplift::read {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Fields = std::vector<std::string>;

struct Seen {
  std::vector<Fields> rows;
  std::string copied;  ///< raw and line ends put together again
  std::vector<std::uint64_t> lines;
  int malformed = 0;
  std::string error;
};

Seen read(const std::string& text, std::size_t piece = SIZE_MAX) {
  MemorySource source(text, piece);
  CsvReader reader(source, "t.csv");
  Seen seen;
  for (;;) {
    auto record = reader.next();
    if (!record) {
      seen.error = record.error().line();
      return seen;
    }
    if (*record == nullptr) return seen;
    seen.rows.emplace_back((*record)->fields.begin(), (*record)->fields.end());
    seen.copied.append((*record)->raw).append((*record)->line_end);
    seen.lines.push_back((*record)->line);
    seen.malformed += (*record)->malformed ? 1 : 0;
  }
}

TEST(CsvReader, FieldsOfRfc4180) {
  const Seen seen = read("a,b,c\r\n\"x, y\",\"say \"\"hi\"\"\",\"two\nlines\"\n,,\n");
  EXPECT_THAT(seen.rows,
              ElementsAre(Fields{"a", "b", "c"}, Fields{"x, y", "say \"hi\"", "two\nlines"},
                          Fields{"", "", ""}));
  EXPECT_THAT(seen.lines, ElementsAre(1, 2, 4));
  EXPECT_EQ(0, seen.malformed);
}

TEST(CsvReader, EveryByteIsKeptWhateverTheLineEnds) {
  for (const std::string& text :
       {std::string("a,b\r\n1,2\n\n  \n\"q\"\"\",x\r\nlast,\"row\""), std::string("a\r\n\r\n"),
        std::string("a\rb,c\n"), std::string("a"), std::string("\n")}) {
    EXPECT_EQ(text, read(text).copied);
  }
}

TEST(CsvReader, LineEndsAreNotPartOfTheLastField) {
  const Seen seen = read("a,b\r\n\"1\",\"2\"\r\nx,y\r\n");
  EXPECT_THAT(seen.rows, ElementsAre(Fields{"a", "b"}, Fields{"1", "2"}, Fields{"x", "y"}));
  EXPECT_EQ(0, seen.malformed);
}

TEST(CsvReader, TheByteOrderMarkIsPassedOver) {
  EXPECT_THAT(read("\xef\xbb\xbf"
                   "a,b\n")
                  .rows,
              ElementsAre(Fields{"a", "b"}));
}

TEST(CsvReader, PiecesOfAnySizeGiveTheSame) {
  const std::string text = "a,\"b\"\"c\"\r\n\"d\r\ne\",f\n\ng,h";
  const Seen whole = read(text);
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    const Seen cut = read(text, piece);
    EXPECT_EQ(whole.rows, cut.rows);
    EXPECT_EQ(whole.lines, cut.lines);
  }
}

TEST(CsvReader, RecordsLongerThanTheBuffer) {
  const std::string value(700'000, 'x');
  const std::string text = "a,b\n1,\"" + value + "\"\"" + value.substr(0, 100'000) + "\"\n2,3\n";
  const Seen seen = read(text, 4096);
  EXPECT_EQ("", seen.error);
  ASSERT_EQ(3U, seen.rows.size());
  EXPECT_EQ(value + "\"" + value.substr(0, 100'000), seen.rows[1][1]);
  EXPECT_EQ(text, seen.copied);
}

TEST(CsvReader, TextBehindAClosingQuoteIsTold) {
  const Seen seen = read("a,b\n\"x\"y,z\n");
  EXPECT_EQ(1, seen.malformed);
  EXPECT_THAT(seen.rows[1], ElementsAre("x", "z"));
}

TEST(CsvReader, WhatIsNoTableIsAnErrorWithItsLine) {
  EXPECT_THAT(read("a,b\n1,\"2\n3\n").error,
              HasSubstr("t.csv:2: a quote is opened and never closed"));
  EXPECT_THAT(read(std::string("a,b\n1\n2,\0x\n", 11)).error, HasSubstr("t.csv:3: a NUL byte"));
  EXPECT_THAT(read(std::string("a\n\"\n\0\"\n", 7)).error, HasSubstr("t.csv:3: a NUL byte"));
  EXPECT_THAT(read("a,b\n" + std::string(2'000'000, 'x')).error,
              HasSubstr("t.csv:2: a row of more than 1 MiB"));
  EXPECT_THAT(read("a\n" + std::string(2'000'000, 'x') + "\n").error,
              HasSubstr("t.csv:2: a row of more than 1 MiB"));
  EXPECT_THAT(read(std::string(5000, ',') + "\n").error,
              HasSubstr("t.csv:1: more than 4096 columns"));
}

}  // namespace
}  // namespace uplift::read
