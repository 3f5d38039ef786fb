// SPDX-License-Identifier: Apache-2.0
// What a test from outside cannot time: that the temporary file is there while work goes on, and is
// gone when the work is given up. The rest is in tests/integration/cli_frame.py.
#include "cli/output_file.hpp"

#include "cli/signals.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace uplift::cli {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "uplift-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  [[nodiscard]] std::string target() const { return folder_ / "answer"; }
  [[nodiscard]] std::string content() const {
    std::ifstream file(target());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, TheOldFileStaysUntilTheNewOneIsWhole) {
  std::ofstream(target()) << "old";
  Result<OutputFile> file = OutputFile::open(target());
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("new"));
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(names().size(), 2U);
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"answer"});
}

TEST_F(OutputFileTest, GivenUpWorkLeavesNothing) {
  {
    Result<OutputFile> file = OutputFile::open(target());
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("half"));
    EXPECT_EQ(names().size(), 1U);
  }
  EXPECT_TRUE(names().empty());
}

TEST_F(OutputFileTest, TwoRunsIntoOneFolderDoNotMeet) {
  Result<OutputFile> one = OutputFile::open(target());
  Result<OutputFile> two = OutputFile::open(target());
  ASSERT_TRUE(one && two);
  ASSERT_TRUE(one->write("one") && two->write("two"));
  ASSERT_TRUE(one->commit());
  ASSERT_TRUE(two->commit());
  EXPECT_EQ(content(), "two");
  EXPECT_EQ(names(), std::vector<std::string>{"answer"});
}

class Interrupted : public OutputFileTest, public testing::WithParamInterface<int> {};

TEST_P(Interrupted, RemovesTheFileAndDiesOfTheSignal) {
  std::array<int, 2> ready = {};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    prepare_process();
    const Result<OutputFile> file = OutputFile::open(target());
    const bool told = file && ::write(ready[1], "x", 1) == 1;
    if (told) ::pause();
    ::_exit(99);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(names().size(), 1U);
  ::kill(child, GetParam());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), GetParam());
  EXPECT_TRUE(names().empty());
  ::close(ready[0]);
  ::close(ready[1]);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace uplift::cli
