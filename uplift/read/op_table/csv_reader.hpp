// SPDX-License-Identifier: Apache-2.0
// The records of a CSV file (RFC 4180), one at a time, each with its bytes as they stand, so that a
// table can be copied with columns added. Memory is one buffer, whatever the size of the file.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/read/byte_source.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace uplift::read {

/// One record. Everything points into the reader and holds until its next record.
struct CsvRecord {
  std::string_view raw;       ///< as in the file, without the line end
  std::string_view line_end;  ///< `\n` or `\r\n`; empty at the end of a file without one
  std::span<const std::string_view> fields;  ///< without their quotes
  std::uint64_t line = 1;                    ///< in which it begins, from 1
  bool malformed = false;                    ///< text behind a closing quote

  /// An empty line, or one of spaces alone.
  [[nodiscard]] bool blank() const;
};

class CsvReader {
 public:
  static constexpr std::size_t kLongestRecord = std::size_t{1} << 20;
  static constexpr std::size_t kMostFields = 4096;

  /// `name` is for error lines. A byte order mark at the front is passed over.
  CsvReader(ByteSource& source, std::string name);

  /// The next record, or nullptr at the end. Errors: a quote that is never closed, a NUL byte, a
  /// record of more than kLongestRecord bytes or kMostFields fields; what the source says.
  [[nodiscard]] Result<const CsvRecord*> next();

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Whether the file begins with a byte order mark; known after the first record.
  [[nodiscard]] bool has_byte_order_mark() const { return byte_order_mark_; }
  [[nodiscard]] const ByteSource& source() const { return source_; }

 private:
  enum class Cut : std::uint8_t { kRecord, kMoreNeeded, kNul, kTooManyFields, kOpenQuote };
  [[nodiscard]] Cut cut_record();
  [[nodiscard]] Cut cut_quoted(const char*& at, const char* end);
  [[nodiscard]] Result<void> fill();
  [[nodiscard]] tl::unexpected<Error> too_long(std::uint64_t line) const;
  [[nodiscard]] tl::unexpected<Error> error(std::uint64_t line, std::string seen,
                                            std::string advice) const;

  ByteSource& source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is not yet handed out
  bool started_ = false, at_end_ = false, byte_order_mark_ = false;
  std::uint64_t line_ = 1;
  std::uint64_t lines_inside_ = 0;  ///< line breaks within quotes of the record being cut
  std::vector<std::string_view> fields_;
  std::string unescaped_;  ///< fields with doubled quotes, never longer than the record
  CsvRecord record_;
};

}  // namespace uplift::read
