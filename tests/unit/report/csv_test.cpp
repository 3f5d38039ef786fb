// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/document.hpp"

#include <gtest/gtest.h>

namespace uplift::report {
namespace {

TEST(Csv, RawValuesUnderKeysWithUnits) {
  Table table;
  table.columns = {{"kernel", "kernel", Align::kLeft}, {"time", "time_seconds"}};
  table.rows = {{{"gemm"}, {"1.20 ms", Tone::kPlain, "0.0012"}}, {{"copy"}, {"–"}}};
  EXPECT_EQ(render_csv({{Paragraph{"not in CSV"}, table}}),
            "kernel,time_seconds\ngemm,0.0012\ncopy,\n");
}

TEST(Csv, FieldsAreQuotedByRfc4180) {
  Table table;
  table.columns = {{"a,b", "", Align::kLeft}};
  table.rows = {{{"say \"hi\", twice"}}, {{" edge"}}};
  EXPECT_EQ(render_csv({{table}}), "\"a,b\"\n\"say \"\"hi\"\", twice\"\n\" edge\"\n");
}

TEST(Csv, TablesAreSeparatedByAnEmptyLine) {
  Table table;
  table.columns = {{"a", "a"}};
  table.rows = {{{"1"}}};
  EXPECT_EQ(render_csv({{table, table}}), "a\n1\n\na\n1\n");
}

}  // namespace
}  // namespace uplift::report
