// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/text_width.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace uplift::report {
namespace {

TEST(TextWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("1.59×"), 5);
  EXPECT_EQ(display_width("µs"), 2);
  EXPECT_EQ(display_width("显卡"), 4);
  EXPECT_EQ(display_width("e\xCC\x81"), 1);  // e with a combining accent
}

TEST(TextWidth, TruncateEndsWithAnEllipsis) {
  EXPECT_EQ(truncate("abcdef", 6), "abcdef");
  EXPECT_EQ(truncate("abcdef", 4), "abc…");
  EXPECT_EQ(truncate("显卡显卡", 4), "显…");
  EXPECT_EQ(truncate("abc", 0), "");
}

TEST(TextWidth, WrapBreaksAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("unbreakable", 4), std::vector<std::string>{"unbreakable"});
  EXPECT_TRUE(wrap("", 10).empty());
}

RC_GTEST_PROP(TextWidth, TruncatedTextFits, (const std::string& text)) {
  const int width = *rc::gen::inRange(0, 40);
  RC_ASSERT(display_width(truncate(text, width)) <= width);
}

RC_GTEST_PROP(TextWidth, WrapKeepsEveryWord, (const std::vector<std::uint8_t>& lengths)) {
  std::string text;
  for (const auto length : lengths) text += std::string(length % 20 + 1u, 'x') + " ";
  std::string joined;
  for (const std::string& line : wrap(text, 30)) joined += line + " ";
  RC_ASSERT(joined == text);
}

}  // namespace
}  // namespace uplift::report
