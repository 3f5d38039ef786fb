// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/document.hpp"

#include <gtest/gtest.h>

namespace uplift::report {
namespace {

TEST(Markdown, TablesHeadingsAndParagraphs) {
  Table table;
  table.title = "Kernels";
  table.columns = {{"kernel", "kernel", Align::kLeft}, {"time", "time_seconds"}};
  table.rows = {{{"gemm"}, {"1.20 ms"}}};
  EXPECT_EQ(render_markdown({{Heading{"Answer"}, Paragraph{"It is 2× faster."}, table}}),
            "## Answer\n\nIt is 2× faster.\n\n### Kernels\n\n| kernel | time |\n|---|---:|\n"
            "| gemm | 1.20 ms |\n");
}

TEST(Markdown, MarkupInNamesIsEscaped) {
  Table table;
  table.columns = {{"kernel", "kernel", Align::kLeft}};
  table.rows = {{{"at::native<float, 4>|*x*"}}, {{"two\nlines"}}};
  const std::string text = render_markdown({{table}});
  EXPECT_NE(text.find("| at::native\\<float, 4\\>\\|\\*x\\* |"), std::string::npos) << text;
  EXPECT_EQ(text.find("two\nlines"), std::string::npos);
}

}  // namespace
}  // namespace uplift::report
