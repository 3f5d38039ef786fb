// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/op_table_csv.hpp"

#include "uplift/core/printable.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace uplift::report {
namespace {

bool plain(std::string_view text) {
  for (const char c : text) {
    if (c < ' ' || c > '~' || c == ',' || c == '"') return false;
  }
  return text.empty() || (text.front() != ' ' && text.back() != ' ');
}

/// A field of its own, in quotes where RFC 4180 asks for them.
void append_field(std::string& out, std::string_view text) {
  if (plain(text)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : printable(text)) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

void append_seconds(std::string& out, double seconds) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), seconds,
                                          std::chars_format::general, 6);
  if (error == std::errc() && std::isfinite(seconds)) out.append(digits.data(), end);
}

void append_answer_header(std::string& out, std::string_view raw, std::string_view line_end) {
  out += raw;
  for (const std::string_view column : kAnswerColumns) {
    out += ',';
    out += column;
  }
  out += line_end;
}

void append_answer_row(std::string& out, std::string_view raw, std::size_t missing,
                       const OpPrediction& prediction, std::string_view line_end) {
  out += raw;
  out.append(missing, ',');
  out += ',';
  if (prediction.answered) append_seconds(out, prediction.seconds);
  out += ',';
  if (prediction.answered) append_seconds(out, prediction.low);
  out += ',';
  if (prediction.answered) append_seconds(out, prediction.high);
  out += ',';
  if (prediction.answered) out += word(prediction.bound);
  out += ',';
  append_field(out, prediction.note);
  out += line_end;
}

}  // namespace uplift::report
