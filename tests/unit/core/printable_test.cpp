// SPDX-License-Identifier: Apache-2.0
#include "uplift/core/printable.hpp"

#include <gtest/gtest.h>

namespace uplift {
namespace {

TEST(Printable, PlainTextAndOtherScriptsAreUnchanged) {
  for (const auto* text : {"", "trace.json.gz", "a b;c'd\"e\\", "测试.json", "café", "🚀"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ControlCharactersBecomeEscapes) {
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");  // U+009B starts a sequence on some terminals
}

TEST(Printable, MarksThatReorderTextBecomeEscapes) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u202eb");
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u2028");
  EXPECT_EQ(printable("\xe2\x81\xa6"), "\\u2066");
}

TEST(Printable, BytesThatAreNotUtf8BecomeEscapes) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // past U+10FFFF
  EXPECT_EQ(printable("\xe6\xb5"), "\\xe6\\xb5");                    // cut short
}

}  // namespace
}  // namespace uplift
