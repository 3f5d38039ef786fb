// SPDX-License-Identifier: Apache-2.0
// What a path may name: a file of any name and packing, or a folder with one recording.
#include "uplift/read/load_workload.hpp"

#include "tests/unit/read/temporary_folder.hpp"
#include "tests/unit/read/trace_builder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <gmock/gmock.h>
#include <string>

namespace uplift::read {
namespace {

using testing::HasSubstr;

std::string outcome(const std::string& path) {
  auto workload = load_workload(path);
  return workload ? "read" : workload.error().line();
}

std::string small_trace() { return TraceBuilder().launch("k", 10, 20, 1).text(); }

TEST(LoadWorkload, ContentDecidesNotTheName) {
  const TemporaryFolder folder;
  EXPECT_EQ("read", outcome(folder.write("trace.json.gz", small_trace())));
  EXPECT_EQ("read", outcome(folder.write("no ending \xc3\xa9", small_trace())));
}

TEST(LoadWorkload, AFolderWithOneRecordingStandsForIt) {
  const TemporaryFolder folder;
  EXPECT_THAT(outcome(folder.path()), HasSubstr("no recording among 0 files"));
  (void)folder.write("notes.txt", "hello");
  EXPECT_THAT(outcome(folder.path()), HasSubstr("no recording among 1 file ("));
  (void)folder.write("b.json", small_trace());
  EXPECT_EQ("read", outcome(folder.path()));
  EXPECT_EQ("read", outcome(folder.path() + "/"));
  const std::string first = folder.write("a.json.gz", small_trace());
  EXPECT_THAT(outcome(folder.path()),
              HasSubstr("holds 2 recordings; give one of them, such as " + first));
}

TEST(LoadWorkload, FoldersInsideAreNoRecordings) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("inner.json"));
  EXPECT_THAT(outcome(folder.path()), HasSubstr("no recording among 1 file"));
}

TEST(LoadWorkload, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(outcome(folder.file("none.json")), HasSubstr("none.json: cannot be opened"));
  const std::string binary = folder.write("random", std::string("\x93\x1f\x00\xff\x8b", 5));
  EXPECT_THAT(outcome(binary), HasSubstr("random: is not a profiler trace"));
}

}  // namespace
}  // namespace uplift::read
