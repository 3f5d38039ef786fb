// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/gpu_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace uplift::report {
namespace {

TEST(GpuJson, UnknownIsNullWithTheKeyPresent) {
  Gpu gpu;
  gpu.id = "mine";
  gpu.sm_count = Fact{10, "a test", Provenance::kDerived, ""};
  const BoardView boards[] = {{&gpu, nullptr}};
  const auto json = nlohmann::json::parse(gpus_json(boards, ToolInfo{"0.1.0", "", "", "", "", 7}));
  EXPECT_EQ(json["schema"], "uplift.gpus/1");
  EXPECT_TRUE(json["tool"]["git"].is_null());
  EXPECT_EQ(json["tool"]["seed"], 7);
  const auto& numbers = json["gpus"][0]["numbers"];
  EXPECT_EQ(numbers.size(), gpu_fields().size());
  EXPECT_TRUE(numbers["l2_bytes"].is_null());
  EXPECT_EQ(numbers["sm_count"]["value"], 10);
  EXPECT_EQ(numbers["sm_count"]["how"], "derived");
  EXPECT_TRUE(json["gpus"][0]["formats"].is_null());
}

TEST(GpuJson, ComparisonHasOneEntryPerBoardInEveryList) {
  Gpu first;
  first.dram_bandwidth = Fact{900e9, "a test", Provenance::kRead, ""};
  Gpu second;
  const BoardView boards[] = {{&first, nullptr}, {&second, nullptr}};
  const auto json = nlohmann::json::parse(compare_json(boards, ToolInfo{}));
  EXPECT_EQ(json["schema"], "uplift.compare/1");
  ASSERT_EQ(json["rows"].size(), 1u);
  const auto& row = json["rows"][0];
  EXPECT_EQ(row["quantity"], "dram_bandwidth_bytes_per_second");
  for (const char* key : {"values", "ratios", "absent", "downgrades"}) {
    EXPECT_EQ(row[key].size(), 2u) << key;
  }
  EXPECT_TRUE(row["values"][1].is_null());
  EXPECT_EQ(row["ratios"][0], 1.0);
}

}  // namespace
}  // namespace uplift::report
