// SPDX-License-Identifier: Apache-2.0
// A GPU file is written by hand: every slip must give one line that says where, what, and what to
// do.
#include "uplift/catalog/gpu_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

namespace uplift::catalog {
namespace {

const std::string kHead =
    "format = 1\nid = \"my-gpu\"\nname = \"My GPU\"\ncompute_capability = \"9.0\"\n";
const std::string kNumbers =
    "[compute]\nsm_count = { value = 10, unit = \"count\", source = \"a\", how = \"read\" }\n"
    "[memory]\ncapacity = { value = 8, unit = \"GB\", source = \"a\", how = \"recalled\" }\n";

std::string error_of(const std::string& text) {
  const auto gpu = parse_gpu_file(text, "my.toml");
  return gpu ? "no error" : gpu.error().line();
}

TEST(GpuFile, TheSmallestFileIsEnough) {
  const auto gpu = parse_gpu_file(kHead + kNumbers, "my.toml");
  ASSERT_TRUE(gpu) << gpu.error().line();
  EXPECT_EQ(gpu->id, "my-gpu");
  EXPECT_EQ(gpu->compute_capability, (ComputeCapability{9, 0}));
  EXPECT_EQ(gpu->memory_bytes->value, 8e9);
  EXPECT_EQ(gpu->memory_bytes->provenance, Provenance::kRecalled);
  EXPECT_FALSE(gpu->dram_bandwidth);
}

TEST(GpuFile, SourcesAreReferredToByKey) {
  const auto gpu =
      parse_gpu_file(kHead + "[sources]\na = \"The data sheet, page 2\"\n" + kNumbers, "my.toml");
  ASSERT_TRUE(gpu) << gpu.error().line();
  EXPECT_EQ(gpu->sm_count->source, "The data sheet, page 2");
}

TEST(GpuFile, SlipsAreNamedWithLineAndAdvice) {
  EXPECT_EQ(error_of(kHead + kNumbers + "bandwith = 1\n"),
            "my.toml:9: unknown key `memory.bandwith`; docs/gpu_files.md lists the keys");
  EXPECT_EQ(
      error_of(kHead + kNumbers +
               "bandwidth = { value = 900, unit = \"GB\", source = \"a\", how = \"read\" }\n"),
      "my.toml:9: `memory.bandwidth` cannot be in \"GB\"; use MB/s, GB/s, GiB/s or TB/s");
  EXPECT_EQ(error_of(kHead + kNumbers + "bandwidth = 900\n"),
            "my.toml:9: `memory.bandwidth` has no unit and no source; write { value = …, unit = "
            "\"GB/s\", source = \"…\", how = \"read\" }");
  EXPECT_EQ(error_of(kHead + kNumbers +
                     "l2 = { value = \"6\", unit = \"MiB\", source = \"a\", how = \"read\" }\n"),
            "my.toml:9: `memory.l2` is not a number");
  EXPECT_EQ(error_of(kHead + kNumbers +
                     "l2 = { value = 6, unit = \"MiB\", source = \"a\", how = \"guessed\" }\n"),
            "my.toml:9: unknown `how = \"guessed\"`; write \"read\", \"recalled\" or \"derived\"");
  EXPECT_EQ(error_of(kHead + kNumbers + "l2 = { value = 6, unit = \"MiB\", how = \"read\" }\n"),
            "my.toml:9: no `source`; every GPU needs one");
}

TEST(GpuFile, OnlyFiniteNumbersAboveZero) {
  for (const std::string value : {"nan", "inf", "-inf", "-4", "0"}) {
    const auto line = error_of(kHead + kNumbers + "l2 = { value = " + value +
                               ", unit = \"MiB\", source = \"a\", how = \"read\" }\n");
    EXPECT_NE(line.find("my.toml:9: `memory.l2` is "), std::string::npos) << line;
  }
}

TEST(GpuFile, ValuesAreTheDecimalsThatWereWritten) {
  const auto gpu = parse_gpu_file(kHead + kNumbers +
                                      "[peak.dense]\nfp32 = { value = 16.4, unit = \"TFLOP/s\", "
                                      "source = \"a\", how = \"read\" }\n",
                                  "my.toml");
  ASSERT_TRUE(gpu) << gpu.error().line();
  EXPECT_EQ(gpu->dense_peak[index(Math::kFp32)]->value, 16.4e12);
}

TEST(GpuFile, ZeroMigInstancesMeansNoMig) {
  const auto gpu = parse_gpu_file(kHead + kNumbers +
                                      "[board]\nmig_instances = { value = 0, unit = \"count\", "
                                      "source = \"a\", how = \"read\" }\n",
                                  "my.toml");
  ASSERT_TRUE(gpu) << gpu.error().line();
  EXPECT_EQ(gpu->mig_instances->value, 0.0);
}

TEST(GpuFile, CountsAreWhole) {
  EXPECT_NE(
      error_of(kHead + "[compute]\nsm_count = { value = 1.5, unit = \"count\", source = \"a\", "
                       "how = \"read\" }\n")
          .find("a count is a whole number"),
      std::string::npos);
}

TEST(GpuFile, MissingPartsAreNamed) {
  EXPECT_EQ(error_of(""), "my.toml: no `format`; add `format = 1` at the top");
  EXPECT_NE(error_of("format = 2\n").find("`format` is not 1"), std::string::npos);
  EXPECT_NE(error_of("format = 1\nname = \"x\"\n").find("no `id`"), std::string::npos);
  EXPECT_EQ(error_of(kHead),
            "my.toml: no `compute.sm_count`; no prediction is possible without it");
  EXPECT_NE(error_of("format = 1\nid = \"Ä\"\nname = \"x\"\n").find("has other characters"),
            std::string::npos);
  EXPECT_NE(error_of("format = 1\nid = \"a\"\nname = \"x\"\ncompute_capability = \"nine\"\n")
                .find("write it as \"8.0\""),
            std::string::npos);
}

TEST(GpuFile, SyntaxErrorsGiveTheLine) {
  EXPECT_EQ(error_of("format = 1\nid = \n").substr(0, 10), "my.toml:2:");
}

TEST(GpuFile, FilesOverOneMebibyteAreRefused) {
  EXPECT_NE(error_of(std::string((1u << 20) + 1, '#')).find("larger than 1 MiB"),
            std::string::npos);
}

TEST(GpuFile, MissingFilesAndFoldersAreIoErrors) {
  EXPECT_EQ(load_gpu_file("no-such-file.toml").error().kind, ErrorKind::kIo);
  EXPECT_EQ(load_gpu_file(std::filesystem::temp_directory_path()).error().kind, ErrorKind::kIo);
}

RC_GTEST_PROP(GpuFile, AnyBytesGiveABoardOrOneLine, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  const auto gpu = parse_gpu_file(text, "my.toml");
  if (!gpu) RC_ASSERT(gpu.error().kind == ErrorKind::kSyntax);
}

RC_GTEST_PROP(GpuFile, ValuesComeBackInBaseUnits, ()) {
  const auto tenths = *rc::gen::inRange(1, 1000000);
  const std::string value = std::to_string(tenths) + "e-1";
  const auto gpu = parse_gpu_file(kHead + kNumbers + "bandwidth = { value = " + value +
                                      ", unit = \"GB/s\", source = \"a\", how = \"read\" }\n",
                                  "my.toml");
  RC_ASSERT(gpu.has_value());
  RC_ASSERT(std::abs(gpu->dram_bandwidth->value / (tenths * 1e8) - 1.0) < 1e-12);
}

}  // namespace
}  // namespace uplift::catalog
