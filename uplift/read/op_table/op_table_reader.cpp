// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/op_table_reader.hpp"

#include "uplift/read/op_table/parse_op.hpp"
#include "uplift/read/op_table/shape_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace uplift::read {
namespace {

constexpr std::int64_t kMostCalls = std::int64_t{1} << 53;
/// Outside of these a time of one call is a mistake of unit.
constexpr double kShortestSeconds = 1e-12;
constexpr double kLongestSeconds = 1e9;

}  // namespace

Result<OpTableReader> OpTableReader::open(ByteSource& source, std::string name) {
  OpTableReader reader(CsvReader(source, std::move(name)));
  for (;;) {
    auto record = reader.csv_.next();
    if (!record) return failure(record.error());
    if (*record == nullptr) {
      return failure(ErrorKind::kSyntax, reader.csv_.name(), "holds nothing but empty lines",
                     "a table has a header line and one line per row");
    }
    if ((*record)->blank()) continue;
    if (auto read = reader.read_header(**record); !read) return failure(read.error());
    return reader;
  }
}

Result<void> OpTableReader::read_header(const CsvRecord& record) {
  const auto wrong = [&](std::string seen, std::string advice) {
    return failure(ErrorKind::kSyntax, fmt::format("{}:{}", csv_.name(), record.line),
                   std::move(seen), std::move(advice));
  };
  if (record.raw.front() == '{' || record.raw.front() == '[') {
    return wrong("begins like JSON, not like an op table", "a recording goes to `uplift advise`");
  }
  if (record.raw.find('\r') != std::string_view::npos) {
    return wrong("lines end in a lone carriage return", "save the table with line feeds");
  }
  header_ = record.raw;
  line_end_ = record.line_end.ends_with('\n') ? record.line_end : "\n";
  column_count_ = record.fields.size();
  for (std::size_t i = 0; i < column_count_; ++i) {
    names_.emplace_back(trimmed(record.fields[i]));
    for (std::size_t column = 0; column < kColumnNames.size(); ++column) {
      if (!same_word(names_.back(), kColumnNames[column])) continue;
      if (places_[column] != kAbsent) {
        return wrong(fmt::format("two columns are named {}", kColumnNames[column]),
                     "rename one of them");
      }
      places_[column] = i;
    }
  }
  for (const Column column : {Column::kKind, Column::kShape}) {
    if (has(column)) continue;
    return wrong(
        fmt::format("the header has no column {}", kColumnNames[static_cast<std::size_t>(column)]),
        "begin the table with name,kind,math,shape,count,source_seconds");
  }
  return {};
}

std::string_view OpTableReader::text(const CsvRecord& record, std::string_view column) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (same_word(names_[i], column)) {
      return i < record.fields.size() ? trimmed(record.fields[i]) : std::string_view();
    }
  }
  return {};
}

bool OpTableReader::has_column(std::string_view name) const {
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& own) { return same_word(own, name); });
}

const OpRow& OpTableReader::parse(const CsvRecord& record) {
  note_.clear();
  row_.name = field(record, Column::kName);
  row_.kind = field(record, Column::kKind);
  row_.math = field(record, Column::kMath);
  row_.shape = field(record, Column::kShape);
  row_.count = 1;
  row_.source_seconds.reset();
  row_.usable = false;
  if (record.malformed) {
    note_ = "text behind a closing quote";
  } else if (record.fields.size() > column_count_) {
    note_ =
        fmt::format("the row has {} fields, the header {}", record.fields.size(), column_count_);
  } else {
    row_.usable = parse_op({row_.kind, row_.math, row_.shape, field(record, Column::kDtype),
                            field(record, Column::kOutDtype)},
                           row_.op, note_) &&
                  parse_numbers(record);
  }
  row_.note = note_;
  return row_;
}

bool OpTableReader::parse_numbers(const CsvRecord& record) {
  const std::string_view count = trimmed(field(record, Column::kCount));
  if (!count.empty() && !parse_whole("count", count, 1, kMostCalls, row_.count, note_)) {
    row_.count = 1;
    return false;
  }
  const std::string_view text = trimmed(field(record, Column::kSourceSeconds));
  if (text.empty()) return true;
  double seconds = 0;
  if (!parse_amount("source_seconds", text, seconds, note_)) return false;
  if (seconds < kShortestSeconds || seconds > kLongestSeconds) {
    note_ = seconds == 0 ? std::string("source_seconds is 0; leave it empty if it is not known")
                         : fmt::format("source_seconds is not the time of one call in seconds: {}",
                                       quoted_for_note(text));
    return false;
  }
  row_.source_seconds = seconds;
  return true;
}

}  // namespace uplift::read
