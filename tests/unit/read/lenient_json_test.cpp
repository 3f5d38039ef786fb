// SPDX-License-Identifier: Apache-2.0
// Text that is nearly JSON: what profilers write by mistake becomes what they meant.
#include "uplift/read/trace/lenient_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace uplift::read {
namespace {

TEST(RepairJson, GoodTextStaysAsItIs) {
  const std::string text =
      "{\"NaN\": [1, -2.5e3, true, null, \"Infinity \\\" \\u00e9 \\\\\", \"\xc3\xa9\"]}";
  EXPECT_EQ(text, repair_json(text));
}

TEST(RepairJson, NumbersThatAreNoneBecomeNull) {
  EXPECT_EQ("[null, null,null, null, null,null]",
            repair_json("[NaN, Infinity,-Infinity, nan, inf,-inf]"));
  EXPECT_EQ(R"j({"NaN": "NaN"})j", repair_json(R"j({"NaN": "NaN"})j"));
}

TEST(RepairJson, StringsBecomeValid) {
  EXPECT_EQ(R"j(["a\u000ab\u0001"])j", repair_json("[\"a\nb\x01\"]"));
  EXPECT_EQ(R"j(["C:\\new\\q\\"])j", repair_json(R"j(["C:\\new\q\\"])j"));
  EXPECT_EQ(R"j(["\\u12"])j", repair_json(R"j(["\u12"])j"));
  EXPECT_EQ(R"j(["?a?(???"])j", repair_json("[\"\xff"
                                            "a\xc3\x28\xed\xa0\x80\"]"));
  EXPECT_EQ(R"j(["??"])j", repair_json("[\"\xc0\x80\"]"));            // overlong
  EXPECT_EQ(R"j(["????"])j", repair_json("[\"\xf5\x80\x80\x80\"]"));  // beyond Unicode
}

RC_GTEST_PROP(RepairJson, RepairingTwiceChangesNothing, (const std::string& text)) {
  const std::string once = repair_json("[\"" + text + "\"]");
  RC_ASSERT(repair_json(once) == once);
}

TEST(RepairJson, RawQuotesAreText) {
  EXPECT_EQ(R"j({"name": "say \"hello\"", "ts": 1})j",
            repair_json(R"j({"name": "say "hello"", "ts": 1})j"));
  EXPECT_EQ(R"j({"name": "5\" disk", "ts": 1})j", repair_json(R"j({"name": "5" disk", "ts": 1})j"));
  EXPECT_EQ(R"j({"a": {"name": "f(\"x\", \"y\")"}})j",
            repair_json(R"j({"a": {"name": "f("x", "y")"}})j"));
  EXPECT_EQ(R"j({"name": "{\"a\"}", "l": ["b\"c", "d"]})j",
            repair_json(R"j({"name": "{"a"}", "l": ["b"c", "d"]})j"));
  EXPECT_EQ(R"j({"k": "a: \"b\": c"})j", repair_json(R"j({"k": "a: "b": c"})j"));
}

TEST(RepairJson, ABackslashBeforeTheLastQuoteIsText) {
  EXPECT_EQ(R"j({"name": "C:\\dir\\", "ts": 1})j",
            repair_json(R"j({"name": "C:\dir\", "ts": 1})j"));
  EXPECT_EQ(R"j({"args": {"name": "C:\\q\\"}},{"b": 1})j",
            repair_json(R"j({"args": {"name": "C:\q\"}},{"b": 1})j"));
  // Where nothing of a structure follows, it is an escape.
  EXPECT_EQ(R"j({"name": "a \"b\", \"c\": d"})j",
            repair_json(R"j({"name": "a \"b\", \"c\": d"})j"));
}

TEST(FindValueEnd, EndsBehindTheBracketThatCloses) {
  EXPECT_EQ(8u, find_value_end(R"j({"a": 1}, {"b": 2})j", true));
  EXPECT_EQ(12u, find_value_end(R"j({"a": "}"}"},)j", true));
  EXPECT_EQ(7u, find_value_end("[[],{}] x", true));
  EXPECT_EQ(std::string::npos, find_value_end(R"j({"a": [1}")j", true));
  EXPECT_EQ(std::string::npos, find_value_end(std::string(kDepthLimit + 1, '['), true));
}

TEST(FindValueEnd, TheEndOfTheTextLeavesMattersOpen) {
  const std::string event = R"j({"name": "a" b", "ts": 1})j";
  EXPECT_EQ(event.size(), find_value_end(event + ",", false));
  for (std::size_t length = 0; length < event.size(); ++length) {
    EXPECT_EQ(std::string::npos, find_value_end(event.substr(0, length), false)) << length;
  }
}

}  // namespace
}  // namespace uplift::read
