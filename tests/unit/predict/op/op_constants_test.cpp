// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/op_constants.hpp"

#include "uplift/predict/op/families.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <gmock/gmock.h>

namespace uplift::predict {
namespace {

using ::testing::HasSubstr;
using Records = std::map<std::string, FamilyRecord, std::less<>>;

Records built_in_records() {
  Records records;
  for (const OpFamily* family : op_families()) {
    records.emplace(family->name(), OpConstants::built_in().of(*family));
  }
  return records;
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(std::string::npos, at) << old;
  return text.replace(at, old.size(), by);
}

std::string error_of(const std::string& text) {
  const auto parsed = OpConstants::parse(text, "t.toml");
  EXPECT_FALSE(parsed);
  return parsed ? "" : parsed.error().line();
}

TEST(OpConstants, TheBuiltInFileHasEveryFamilyInsideItsRanges) {
  const auto constants = OpConstants::load();
  ASSERT_TRUE(constants) << constants.error().line();
  for (const OpFamily* family : op_families()) {
    const FamilyKnowledge& learnt = constants->of(*family).knowledge;
    const auto ranges = family->parameters();
    ASSERT_EQ(ranges.size(), learnt.constants.size()) << family->name();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      EXPECT_GE(learnt.constants[i], ranges[i].low - 1e-4 * std::abs(ranges[i].low))
          << family->name() << ' ' << ranges[i].name;
      EXPECT_LE(learnt.constants[i], ranges[i].high + 1e-4 * std::abs(ranges[i].high))
          << family->name() << ' ' << ranges[i].name;
    }
    EXPECT_GT(learnt.noise, 0) << family->name();
    for (const double factor : learnt.interval) EXPECT_GT(factor, 0.5) << family->name();
  }
}

TEST(OpConstants, EveryRangeHasItsStartInside) {
  for (const OpFamily* family : op_families()) {
    for (const ParameterRange& range : family->parameters()) {
      EXPECT_LT(range.low, range.high) << family->name() << ' ' << range.name;
      EXPECT_LE(range.low, range.start) << family->name() << ' ' << range.name;
      EXPECT_GE(range.high, range.start) << family->name() << ' ' << range.name;
    }
  }
}

TEST(OpConstants, WhatIsWrittenIsRead) {
  Records records = built_in_records();
  FamilyRecord& changed = records.begin()->second;
  changed.knowledge.mean[1] = {0.125, -0.25, 3e-5};
  changed.knowledge.spread[2] = {0.5, 0.25, 0.75};
  changed.knowledge.carry = {0.5, 0.25, 0.125, 0.75};
  changed.knowledge.fitted_on = {"a", "b"};
  changed.accuracy[0] = {3, 0.125, 0.25, "b", 0.875, 1.5};
  changed.rows = 77;
  const std::string text = render_constants(records);
  const auto read = OpConstants::parse(text, "t.toml");
  ASSERT_TRUE(read) << read.error().line();
  Records again;
  for (const OpFamily* family : op_families()) again.emplace(family->name(), read->of(*family));
  EXPECT_EQ(text, render_constants(again));
  const FamilyRecord& same = again.begin()->second;
  EXPECT_DOUBLE_EQ(-0.25, same.knowledge.mean[1].memory);
  EXPECT_DOUBLE_EQ(0.25, same.knowledge.spread[2].memory);
  EXPECT_DOUBLE_EQ(0.75, same.knowledge.carry.overhead_shared);
  EXPECT_EQ(changed.knowledge.fitted_on, same.knowledge.fitted_on);
  EXPECT_EQ(3, same.accuracy[0].cards);
  EXPECT_EQ("b", same.accuracy[0].worst_on);
  EXPECT_EQ(77, same.rows);
}

TEST(OpConstants, WhatIsMissingOrOutOfRangeIsTold) {
  const std::string text = render_constants(built_in_records());
  const std::size_t start = text.find("[softmax]");
  const std::string softmax = text.substr(start, text.find("\n[", start) - start);
  EXPECT_EQ("t.toml: [softmax] is missing", error_of(replaced(text, softmax, "")));
  for (const std::string key : {"constants.dram", "noise", "carry.kernel_shared",
                                "published.memory_spread", "measured.interval"}) {
    const std::size_t at = softmax.find(key + " = ");
    ASSERT_NE(std::string::npos, at) << key;
    const std::string line = softmax.substr(at, softmax.find('\n', at) - at);
    const std::string what = "t.toml: softmax." + key + " is missing or out of range";
    for (const std::string& by : {std::string("x = 1"), key + " = 1e9", key + " = -1e9",
                                  key + " = nan", key + " = \"1\""}) {
      EXPECT_EQ(what, error_of(replaced(text, softmax, replaced(softmax, line, by)))) << by;
    }
  }
  EXPECT_THAT(error_of("format = 1\n[softmax\n"), HasSubstr("t.toml:2: "));
  EXPECT_THAT(error_of(""), HasSubstr("] is missing"));
}

}  // namespace
}  // namespace uplift::predict
