// SPDX-License-Identifier: Apache-2.0
// An op table, row by row: what a row says, and its bytes as they stand, so that the table can be
// written again with columns added. The format is in docs/formats.md.
#pragma once

#include "uplift/core/op.hpp"
#include "uplift/core/result.hpp"
#include "uplift/read/op_table/csv_reader.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace uplift::read {

/// What one row asks. Texts hold until the next row is read.
struct OpRow {
  std::string_view name, kind, math, shape;  ///< as written, without quotes
  Op op;                                     ///< only if `usable`
  std::int64_t count = 1;
  std::optional<double> source_seconds;  ///< of one call
  bool usable = false;                   ///< false: `note` says why
  std::string_view note;
};

class OpTableReader {
 public:
  /// Reads the header. Errors: no header, no column `kind` or `shape`, a column twice; what
  /// CsvReader says. `source` must outlive the reader; `name` is for error lines.
  [[nodiscard]] static Result<OpTableReader> open(ByteSource& source, std::string name);

  /// The header, as it stands; holds as long as the reader.
  [[nodiscard]] std::string_view header() const { return header_; }
  [[nodiscard]] std::string_view header_line_end() const { return line_end_; }
  [[nodiscard]] bool has_byte_order_mark() const { return csv_.has_byte_order_mark(); }
  [[nodiscard]] std::size_t columns() const { return column_count_; }
  [[nodiscard]] bool has_source_seconds() const { return has(Column::kSourceSeconds); }
  /// True if the header has a column of that name.
  [[nodiscard]] bool has_column(std::string_view name) const;
  /// What a record says in a column of any name; empty without.
  [[nodiscard]] std::string_view text(const CsvRecord& record, std::string_view column) const;

  /// The next record, blank ones too, or nullptr at the end. The errors are CsvReader's.
  [[nodiscard]] Result<const CsvRecord*> next() { return csv_.next(); }
  /// The source_seconds of a record as it stands; empty without.
  [[nodiscard]] std::string_view source_seconds(const CsvRecord& record) const {
    return field(record, Column::kSourceSeconds);
  }
  /// What a record of next() asks, whatever is wrong with it.
  [[nodiscard]] const OpRow& parse(const CsvRecord& record);

  [[nodiscard]] const ByteSource& source() const { return csv_.source(); }

 private:
  enum class Column : std::uint8_t {
    kName,
    kKind,
    kMath,
    kShape,
    kCount,
    kSourceSeconds,
    kDtype,
    kOutDtype,
  };
  static constexpr std::array<std::string_view, 8> kColumnNames = {
      "name", "kind", "math", "shape", "count", "source_seconds", "dtype", "out_dtype"};
  static constexpr std::size_t kAbsent = SIZE_MAX;

  explicit OpTableReader(CsvReader csv) : csv_(std::move(csv)) { places_.fill(kAbsent); }
  [[nodiscard]] Result<void> read_header(const CsvRecord& record);
  [[nodiscard]] bool has(Column column) const {
    return places_[static_cast<std::size_t>(column)] != kAbsent;
  }
  [[nodiscard]] std::string_view field(const CsvRecord& record, Column column) const {
    const std::size_t place = places_[static_cast<std::size_t>(column)];
    return place < record.fields.size() ? record.fields[place] : std::string_view();
  }
  [[nodiscard]] bool parse_numbers(const CsvRecord& record);

  CsvReader csv_;
  std::string header_, line_end_;
  std::vector<std::string> names_;  ///< of the columns
  std::size_t column_count_ = 0;
  std::array<std::size_t, kColumnNames.size()> places_{};
  OpRow row_;
  std::string note_;
};

}  // namespace uplift::read
