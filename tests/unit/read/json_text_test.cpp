// SPDX-License-Identifier: Apache-2.0
// Times to the nanosecond, and escapes.
#include "uplift/read/trace/json_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace uplift::read {
namespace {

using Nanoseconds = std::optional<std::int64_t>;

TEST(ParseMicroseconds, TheThreeClockStylesAreExact) {
  EXPECT_EQ(Nanoseconds(1623143093496523'000), parse_microseconds("1623143093496523"));
  EXPECT_EQ(Nanoseconds(5241293918139'651), parse_microseconds("5241293918139.651"));
  EXPECT_EQ(Nanoseconds(1712193338102'499'007), parse_microseconds("1712193338102499.007"));
  EXPECT_EQ(Nanoseconds(7), parse_microseconds("0.007"));
  EXPECT_EQ(Nanoseconds(12'000), parse_microseconds("\"12\""));
  EXPECT_EQ(Nanoseconds(12'500), parse_microseconds(" \"12.5\" "));
}

TEST(ParseMicroseconds, DigitsBelowANanosecondAreRounded) {
  EXPECT_EQ(Nanoseconds(1'234), parse_microseconds("1.2344"));
  EXPECT_EQ(Nanoseconds(1'235), parse_microseconds("1.2345"));
  EXPECT_EQ(Nanoseconds(2'000), parse_microseconds("1.9999999"));
  EXPECT_EQ(Nanoseconds(-1'235), parse_microseconds("-1.2345"));
}

TEST(ParseMicroseconds, ExponentsAndFractions) {
  EXPECT_EQ(Nanoseconds(1'500'000), parse_microseconds("1.5e3"));
  EXPECT_EQ(Nanoseconds(1'500'000), parse_microseconds("1.5E+3"));
  EXPECT_EQ(Nanoseconds(2), parse_microseconds("1.5e-3"));
  EXPECT_EQ(Nanoseconds(3'000), parse_microseconds("3."));
}

TEST(ParseMicroseconds, LargestTimesAndOverflow) {
  // INT64_MAX ns is 9223372036854775.807 us.
  EXPECT_EQ(Nanoseconds(9'223'372'036'854'000'000), parse_microseconds("9223372036854000"));
  EXPECT_EQ(Nanoseconds(), parse_microseconds("9999999999999999999"));
  EXPECT_EQ(Nanoseconds(), parse_microseconds("99999999999999999999999999999999"));
  EXPECT_EQ(Nanoseconds(), parse_microseconds("1e300"));
  EXPECT_EQ(Nanoseconds(), parse_microseconds("1e400"));
  EXPECT_EQ(Nanoseconds(), parse_microseconds("-1e19"));
}

TEST(ParseMicroseconds, WhatIsNotAFiniteNumberIsNothing) {
  for (const char* text :
       {"",     "\"", "\"\"", "NaN",   "nan", "-",  "-NaN", "Infinity", "inf", "null",
        "true", "x1", "1x",   "1.5.5", "[1]", "{}", ".5",   "0x10",     "1e",  "--1"}) {
    EXPECT_EQ(Nanoseconds(), parse_microseconds(text)) << text;
  }
}

RC_GTEST_PROP(ParseMicroseconds, GivesBackWhatWasWritten, ()) {
  const auto ns = *rc::gen::inRange<std::int64_t>(0, 9'200'000'000'000'000'000);
  std::string fraction = std::to_string(ns % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  const std::string text = std::to_string(ns / 1000) + "." + fraction;
  RC_ASSERT(parse_microseconds(text) == Nanoseconds(ns));
  RC_ASSERT(parse_microseconds("-" + text) == Nanoseconds(-ns));
}

TEST(Unescape, EscapesBecomeTheirCharacters) {
  EXPECT_EQ("a\"b\\c/d\b\f\n\r\t", unescape(R"(a\"b\\c\/d\b\f\n\r\t)"));
  EXPECT_EQ(
      "\xc3\xa9\xe4\xb8\xad"
      "A",
      unescape(R"(\u00e9\u4E2d\u0041)"));
  EXPECT_EQ("\xef\xbf\xbd", unescape(R"(\ud800)"));  // half a surrogate pair
}

TEST(Unescape, BadEscapesStay) {
  EXPECT_EQ(R"(\q\u12g4)", unescape(R"(\q\u12g4)"));
  EXPECT_EQ("\\", unescape("\\"));
  EXPECT_EQ("\\u12", unescape("\\u12"));
}

}  // namespace
}  // namespace uplift::read
