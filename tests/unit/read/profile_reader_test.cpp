// SPDX-License-Identifier: Apache-2.0
// Profiles: what a good one says, and one line with file and place about every bad one.
#include "uplift/read/profile/profile_reader.hpp"

#include "tests/unit/read/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <gmock/gmock.h>
#include <string>

namespace uplift::read {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kSample =
    R"({"quantity": "dram_stream", "unit": "B/s", "value": 1.5e12, "count": 3})";
constexpr std::string_view kCall =
    R"({"kind": "gemm", "math": "bf16", "shape": "m=64;n=64;k=64", "seconds": 1e-5, "count": 7})";

/// A profile with one sample of memory and one timed operation.
std::string profile_with(std::string_view sample, std::string_view call,
                         std::string_view schema = "uplift.profile/1",
                         std::string_view device = R"({"name": "NVIDIA H200"})") {
  std::string text = R"({"schema": ")";
  text.append(schema).append(R"(", "complete": true, "device": )").append(device);
  text.append(R"(, "dimensions": {"memory": [)").append(sample);
  text.append(R"(]}, "calibration": [)").append(call).append("]}");
  return text;
}

/// The line about a profile that is refused.
std::string refusal(const std::string& text) {
  const auto profile = parse_profile(text, "p.json");
  if (profile) return "taken";
  const std::string line = profile.error().line();
  EXPECT_THAT(line, StartsWith("p.json"));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  return line;
}

std::string refused_sample(std::string_view sample) { return refusal(profile_with(sample, kCall)); }
std::string refused_call(std::string_view call) { return refusal(profile_with(kSample, call)); }

TEST(ProfileReader, TheExampleOfTheDocumentsIsRead) {
  const auto profile =
      load_profile(std::string(UPLIFT_SOURCE_DIR) + "/docs/schema/examples/profile.json");
  ASSERT_TRUE(profile) << profile.error().line();
  EXPECT_TRUE(profile->complete);
  EXPECT_EQ("NVIDIA H200", profile->device.name);
  EXPECT_EQ((ComputeCapability{9, 0}), profile->device.compute_capability);
  EXPECT_EQ(132, profile->device.sm_count);
  EXPECT_EQ(4395e9, profile->value("dram_stream"));
  EXPECT_FALSE(profile->value("l2_read"));
  EXPECT_EQ(NoValue::kNotRun,
            profile->samples[static_cast<std::size_t>(Dimension::kCache)][0].reason);
  EXPECT_EQ(48U, profile->calibration.size());
  EXPECT_EQ(0U, profile->unusable);
}

TEST(ProfileReader, KeysThatAreNotKnownArePassedOver) {
  const auto profile = parse_profile(
      profile_with(R"({"quantity": "x", "unit": "y", "value": 1, "count": 1, "new": [1, {}]})",
                   kCall, "uplift.profile/1", R"({"name": "NVIDIA H200", "rack": 7})"),
      "p.json");
  ASSERT_TRUE(profile) << profile.error().line();
  EXPECT_EQ(1.0, profile->value("x"));
}

TEST(ProfileReader, AValueThatWasFoundWrongIsNoValue) {
  const auto profile = parse_profile(
      profile_with(
          R"({"quantity": "dram_stream", "unit": "B/s", "value": 1, "count": 1, "verified": false})",
          kCall),
      "p.json");
  ASSERT_TRUE(profile);
  EXPECT_FALSE(profile->value("dram_stream"));
}

TEST(ProfileReader, ANewerSchemaIsTold) {
  EXPECT_THAT(refusal(profile_with(kSample, kCall, "uplift.profile/2")),
              HasSubstr("newer than this uplift"));
  EXPECT_THAT(refusal(profile_with(kSample, kCall, "uplift.profile/0")), HasSubstr("not known"));
  EXPECT_THAT(refusal(profile_with(kSample, kCall, "uplift.profile/")), HasSubstr("not known"));
  EXPECT_THAT(refusal(profile_with(kSample, kCall, "uplift.advise/1")), HasSubstr("not a profile"));
  EXPECT_THAT(refusal("{}"), HasSubstr("this is no profile"));
}

TEST(ProfileReader, WhatIsNoJsonIsRefused) {
  for (const char* text : {"", " ", "[]", "7", "{", "\"x\"", "{\"schema\": \"uplift.profile/1\"",
                           "{\"a\": \"\xff\"}", "not json"}) {
    EXPECT_NE("taken", refusal(text)) << text;
  }
  EXPECT_NE("taken", refusal(std::string(100'000, '[')));
  std::string cut = profile_with(kSample, kCall);
  cut.pop_back();
  EXPECT_THAT(refusal(cut), HasSubstr("breaks off"));
}

TEST(ProfileReader, NumbersThatNoGpuCanHaveAreRefused) {
  for (const char* value : {"0", "-1", "1e17", "1e400", "-1e400", "NaN", "Infinity", "\"5\"",
                            "true", "[]", "99999999999999999999"}) {
    const std::string sample =
        std::string(R"({"quantity": "dram_stream", "unit": "B/s", "count": 1, "value": )") + value +
        "}";
    EXPECT_NE("taken", refused_sample(sample)) << value;
    const std::string call =
        std::string(
            R"({"kind": "gemm", "math": "bf16", "shape": "m=1;n=1;k=1", "count": 1, "seconds": )") +
        value + "}";
    EXPECT_NE("taken", refused_call(call)) << value;
  }
  EXPECT_THAT(refused_sample(R"({"quantity": "x", "unit": "B/s", "value": -1, "count": 1})"),
              HasSubstr("p.json:/dimensions/memory/0/value: is -1"));
  EXPECT_THAT(
      refused_call(
          R"({"kind": "gemm", "math": "bf16", "shape": "m=1", "seconds": 4000, "count": 1})"),
      HasSubstr("p.json:/calibration/0/seconds: is 4000"));
  EXPECT_THAT(
      refused_call(R"({"kind": "gemm", "math": "bf16", "shape": "m=1", "seconds": 1, "count": 0})"),
      HasSubstr("/calibration/0/count"));
}

TEST(ProfileReader, AValueAndAReasonExcludeEachOther) {
  EXPECT_THAT(refused_sample(R"({"quantity": "x", "unit": "s", "value": null})"),
              HasSubstr("missing without a reason"));
  EXPECT_THAT(refused_sample(R"({"quantity": "x", "unit": "s", "value": null, "reason": "tired"})"),
              HasSubstr("is tired"));
  EXPECT_THAT(refused_sample(
                  R"({"quantity": "x", "unit": "s", "value": 1, "count": 1, "reason": "failed"})"),
              HasSubstr("beside a value"));
  EXPECT_THAT(refused_sample(R"({"quantity": "x", "unit": "s", "value": 1})"),
              HasSubstr("/dimensions/memory/0/count"));
}

TEST(ProfileReader, AKnownQuantityHasItsUnit) {
  EXPECT_THAT(
      refused_sample(R"({"quantity": "dram_stream", "unit": "GB/s", "value": 1, "count": 1})"),
      HasSubstr("B/s is meant"));
}

TEST(ProfileReader, TypesAreChecked) {
  EXPECT_THAT(refused_sample("7"), HasSubstr("/dimensions/memory/0: is not an object"));
  EXPECT_THAT(refused_call("[]"), HasSubstr("/calibration/0: is not an object"));
  for (const char* device :
       {"7", "null", "{}", R"({"name": 7})", R"({"name": "x", "sm_count": 1.5})",
        R"({"name": "x", "sm_count": 0})", R"({"name": "x", "ecc": 1})",
        R"({"name": "x", "compute_capability": "9"})",
        R"({"name": "x", "compute_capability": "9.0x"})"}) {
    EXPECT_THAT(refusal(profile_with(kSample, kCall, "uplift.profile/1", device)),
                HasSubstr("/device"))
        << device;
  }
  EXPECT_NE("taken", refusal(R"({"schema": "uplift.profile/1", "device": {"name": "x"}})"));
}

TEST(ProfileReader, OperationsThatAreNotUnderstoodAreCounted) {
  for (const char* call :
       {R"({"kind": "gemm", "math": "fp3", "shape": "m=1;n=1;k=1", "seconds": 1, "count": 1})",
        R"({"kind": "dance", "math": "fp32", "shape": "m=1", "seconds": 1, "count": 1})",
        R"({"kind": "gemm", "math": "fp32", "shape": "m=1;n=-1;k=1", "seconds": 1, "count": 1})"}) {
    const auto profile =
        parse_profile(profile_with(kSample, std::string(kCall) + "," + call), "p.json");
    ASSERT_TRUE(profile) << profile.error().line();
    EXPECT_EQ(1U, profile->calibration.size());
    EXPECT_EQ(1U, profile->unusable);
    EXPECT_THAT(profile->first_unusable, StartsWith("/calibration/1: "));
  }
}

TEST(ProfileReader, AFolderIsReadByName) {
  const TemporaryFolder folder;
  EXPECT_THAT(load_profiles({folder.path()}).error().line(), HasSubstr("holds no *.json"));
  (void)folder.write("b.json", profile_with(kSample, kCall));
  (void)folder.write("a.json", profile_with(kSample, ""));
  (void)folder.write("c.txt", "not a profile");
  const auto profiles = load_profiles({folder.path(), folder.file("b.json")});
  ASSERT_TRUE(profiles) << profiles.error().line();
  ASSERT_EQ(3U, profiles->size());
  EXPECT_THAT((*profiles)[0].calibration, IsEmpty());
  EXPECT_EQ(1U, (*profiles)[1].calibration.size());
  (void)folder.write("d.json", "{");
  EXPECT_THAT(load_profiles({folder.path()}).error().line(), HasSubstr("d.json"));
}

TEST(ProfileReader, FilesThatCannotBeReadAreTold) {
  const TemporaryFolder folder;
  EXPECT_THAT(load_profile(folder.file("none.json")).error().line(), HasSubstr("cannot be opened"));
  EXPECT_THAT(load_profile(folder.path()).error().line(), HasSubstr("is a directory"));
  EXPECT_THAT(load_profile(folder.write("empty.json", "")).error().line(), HasSubstr("is empty"));
  const std::string large = folder.write("large.json", std::string(kLargestProfile + 1, ' '));
  EXPECT_THAT(load_profile(large).error().line(), HasSubstr("larger than 16 MiB"));
}

}  // namespace
}  // namespace uplift::read
