// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/document.hpp"

#include <gtest/gtest.h>

namespace uplift::report {
namespace {

Table small_table() {
  Table table;
  table.columns = {{"kernel", "kernel", Align::kLeft, true}, {"time", "time_seconds"}};
  table.rows = {{{"gemm"}, {"1.20 ms", Tone::kPlain, "0.0012"}},
                {{"a_very_long_kernel_name_indeed"}, {"10.0 ms", Tone::kBad, "0.01"}}};
  table.notes = {"a footnote"};
  return table;
}

TEST(Text, ColumnsAreAligned) {
  EXPECT_EQ(render_text({{small_table()}}, {}),
            "kernel                             time\n"
            "gemm                            1.20 ms\n"
            "a_very_long_kernel_name_indeed  10.0 ms\n"
            "a footnote\n");
}

TEST(Text, ShrinkingColumnsGiveWay) {
  EXPECT_EQ(render_text({{small_table()}}, {false, 24}),
            "kernel              time\n"
            "gemm             1.20 ms\n"
            "a_very_long_ke…  10.0 ms\n"
            "a footnote\n");
}

TEST(Text, ParagraphsWrap) {
  EXPECT_EQ(render_text({{Paragraph{"one two three four"}}}, {false, 9}), "one two\nthree\nfour\n");
}

TEST(Text, ColourOnlyWhenAsked) {
  const Document document = {{Paragraph{"slower", Tone::kBad}}};
  EXPECT_EQ(render_text(document, {}), "slower\n");
  EXPECT_EQ(render_text(document, {true, 80}), "\x1b[31mslower\x1b[0m\n");
}

TEST(Text, ColourDoesNotMoveColumns) {
  const std::string plain = render_text({{small_table()}}, {});
  std::string coloured = render_text({{small_table()}}, {true, 80});
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(coloured, plain);
}

TEST(Text, NothingFromOutsideDrivesTheTerminal) {
  Table table = small_table();
  table.rows[0][0].text = "\x1b[2Jevil\nname";
  table.notes = {"\x1b]0;title\x07"};
  const std::string text =
      render_text({{Heading{"\x1b[1m"}, Paragraph{"\x9b\x07"}, std::move(table)}}, {});
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << text;
  }
}

TEST(Text, ShortRowsAreFilled) {
  Table table = small_table();
  table.rows.push_back({{"alone"}});
  EXPECT_NE(render_text({{table}}, {}).find("alone\n"), std::string::npos);
}

}  // namespace
}  // namespace uplift::report
