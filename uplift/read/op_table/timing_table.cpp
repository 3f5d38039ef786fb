// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/timing_table.hpp"

#include "uplift/read/op_table/op_table_reader.hpp"
#include "uplift/read/op_table/shape_text.hpp"
#include "uplift/read/op_table/table_input.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace uplift::read {
namespace {

/// Tables are measured by hand or by a sweep; more rows than this are a mistake of file.
constexpr std::size_t kMostRows = 20'000'000;

}  // namespace

Result<TimingTable> load_timings(const std::string& path) {
  auto input = TableInput::open(path);
  if (!input) return failure(input.error());
  auto source = input->start();
  if (!source) return failure(source.error());
  auto reader = OpTableReader::open(**source, input->name());
  if (!reader) return failure(reader.error());
  for (const std::string_view column : {"gpu", "seconds"}) {
    if (!reader->has_column(column)) {
      return failure(ErrorKind::kSyntax, input->name(), fmt::format("has no column {}", column),
                     "timings need the columns gpu, kind, math, shape and seconds");
    }
  }
  TimingTable table;
  std::unordered_map<std::string, std::uint32_t> gpus;
  for (;;) {
    auto record = reader->next();
    if (!record) return failure(record.error());
    if (*record == nullptr) break;
    if ((*record)->blank()) continue;
    const OpRow& row = reader->parse(**record);
    TimingRow timing;
    std::string note(row.note);
    const bool timed =
        row.usable &&
        parse_amount("seconds", reader->text(**record, "seconds"), timing.seconds, note) &&
        timing.seconds > 0;
    const std::string gpu(reader->text(**record, "gpu"));
    if (!timed || gpu.empty()) {
      if (table.unusable++ == 0) {
        if (note.empty()) note = gpu.empty() ? "names no gpu" : "seconds is not positive";
        table.first_unusable = fmt::format("line {}: {}", (*record)->line, note);
      }
      continue;
    }
    timing.gpu = gpus.emplace(gpu, static_cast<std::uint32_t>(gpus.size())).first->second;
    if (timing.gpu == table.gpus.size()) table.gpus.push_back(gpu);
    timing.op = row.op;
    timing.with_launch = same_word(reader->text(**record, "timing"), "call");
    table.rows.push_back(std::move(timing));
    if (table.rows.size() > kMostRows) {
      return failure(ErrorKind::kUnsupported, input->name(),
                     fmt::format("holds more than {} timings", kMostRows), "split the table");
    }
  }
  if (table.rows.empty()) {
    return failure(
        ErrorKind::kSyntax, input->name(),
        table.unusable > 0 ? "holds no usable timing; " + table.first_unusable : "holds no timing");
  }
  return table;
}

}  // namespace uplift::read
