// SPDX-License-Identifier: Apache-2.0
// Any bytes as an op table, arriving in pieces of any size, give rows or one line of error. A row
// that is usable has a finite amount of work, and the records put together again are the table. The
// first byte chooses the size of the pieces.
#include "fuzz/workload_check.hpp"
#include "tests/unit/read/memory_source.hpp"
#include "uplift/read/op_table/op_table_reader.hpp"
#include "uplift/report/op_table_csv.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using uplift::fuzz::check;
  if (size == 0) return 0;
  constexpr std::array<std::size_t, 4> kPieces = {SIZE_MAX, 1, 7, 64};
  const std::string text(data + 1, data + size);
  uplift::read::MemorySource source(text, kPieces[data[0] % kPieces.size()]);
  auto table = uplift::read::OpTableReader::open(source, "input.csv");
  if (!table) {
    check(!table.error().seen.empty());
    return 0;
  }
  std::string rows;
  std::string answer;
  for (;;) {
    const auto record = table->next();
    if (!record) {
      check(!record.error().seen.empty());
      return 0;
    }
    if (*record == nullptr) break;
    rows.append((*record)->raw).append((*record)->line_end);
    const uplift::read::OpRow& row = table->parse(**record);
    check(row.usable || !row.note.empty());
    check(row.count >= 1);
    if (row.usable) {
      const double bytes = uplift::least_bytes(row.op.shape, row.op.element_bytes).value();
      check(std::isfinite(uplift::flops(row.op.shape).value()) && std::isfinite(bytes));
      check(!row.source_seconds || *row.source_seconds > 0);
    }
    uplift::report::append_answer_row(answer, (*record)->raw, 0,
                                      {false, 0, 0, 0, uplift::Bound::kLaunch, row.note}, "\n");
  }
  check(text.ends_with(rows));
  return 0;
}
