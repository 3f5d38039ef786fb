// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/table_input.hpp"

#include "tests/unit/read/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <thread>

namespace uplift::read {
namespace {

using testing::HasSubstr;

std::string content(const TableInput& input) {
  auto source = input.start();
  EXPECT_TRUE(source) << source.error().line();
  std::string text;
  std::array<char, 7> piece{};
  for (;;) {
    const auto got = (*source)->read(piece);
    EXPECT_TRUE(got);
    if (!got || *got == 0) return text;
    text.append(piece.data(), *got);
  }
}

TEST(TableInput, AFileAndAPipeAreReadTwice) {
  const TemporaryFolder folder;
  const std::string file = folder.write("t.csv", "kind,shape\nsoftmax,rows=1;cols=1\n");
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(0, ::mkfifo(pipe.c_str(), 0600));
  std::thread writer([&] { std::ofstream(pipe) << "kind,shape\nsoftmax,rows=1;cols=1\n"; });
  const auto from_file = TableInput::open(file);
  const auto from_pipe = TableInput::open(pipe);
  writer.join();
  ASSERT_TRUE(from_file);
  ASSERT_TRUE(from_pipe);
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ("kind,shape\nsoftmax,rows=1;cols=1\n", content(*from_file));
    EXPECT_EQ("kind,shape\nsoftmax,rows=1;cols=1\n", content(*from_pipe));
  }
}

TEST(TableInput, WhatCannotBeReadIsSaid) {
  const TemporaryFolder folder;
  EXPECT_THAT(TableInput::open(folder.file("none")).error().line(),
              HasSubstr("cannot be opened: No such file or directory; check the path"));
  EXPECT_THAT(TableInput::open(folder.path())->start().error().line(),
              HasSubstr("is a directory, not a table"));
  EXPECT_THAT(TableInput::open(folder.write("empty.csv", ""))->start().error().line(),
              HasSubstr("empty.csv: the file is empty; a table has a header line"));
}

TEST(TableInput, APipeOfMoreThanTheLimitIsAnError) {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(0, ::mkfifo(pipe.c_str(), 0600));
  std::thread writer([&] { std::ofstream(pipe) << std::string(100, 'x'); });
  const auto input = TableInput::open(pipe, 99);
  writer.join();
  ASSERT_FALSE(input);
  EXPECT_THAT(input.error().line(), HasSubstr("a table is read twice; write it to a file"));
}

}  // namespace
}  // namespace uplift::read
