// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace uplift::read {
namespace {

constexpr std::size_t kBuffer = std::size_t{256} << 10;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// What ends a field without quotes, or may not stand in one.
constexpr std::array<bool, 256> kStops = [] {
  std::array<bool, 256> stops{};
  for (const unsigned char byte : {',', '\n', '\0'}) stops[byte] = true;
  return stops;
}();

const char* find(const char* begin, const char* end, char wanted) {
  const void* found = std::memchr(begin, wanted, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

bool CsvRecord::blank() const {
  return raw.empty() || raw.find_first_not_of(" \t") == std::string_view::npos;
}

CsvReader::CsvReader(ByteSource& source, std::string name)
    : source_(source), name_(std::move(name)), buffer_(kBuffer) {}

Result<const CsvRecord*> CsvReader::next() {
  if (!started_) {
    started_ = true;
    if (auto filled = fill(); !filled) return failure(filled.error());
    byte_order_mark_ = between(buffer_.data(), buffer_.data() + end_).starts_with(kByteOrderMark);
    if (byte_order_mark_) begin_ = kByteOrderMark.size();
  }
  for (;;) {
    if (begin_ == end_ && at_end_) return nullptr;
    switch (cut_record()) {
      case Cut::kRecord:
        if (record_.raw.size() > kLongestRecord) return too_long(record_.line);
        return &record_;
      case Cut::kMoreNeeded:
        if (end_ - begin_ > kLongestRecord) return too_long(line_);
        if (auto filled = fill(); !filled) return failure(filled.error());
        continue;
      case Cut::kNul:
        return error(line_ + lines_inside_, "a NUL byte", "save the table as CSV in UTF-8");
      case Cut::kTooManyFields:
        return error(line_, fmt::format("more than {} columns", kMostFields),
                     "an op table has one row per operation");
      case Cut::kOpenQuote:
        return error(line_, "a quote is opened and never closed",
                     "close it, or double a quote that is meant as text");
    }
  }
}

/// Cuts the record at begin_; leaves it there if its end is not in the buffer yet.
CsvReader::Cut CsvReader::cut_record() {
  const char* const start = buffer_.data() + begin_;
  const char* const end = buffer_.data() + end_;
  const char* at = start;
  fields_.clear();
  unescaped_.clear();
  unescaped_.reserve(buffer_.size());  // views into it must stay
  lines_inside_ = 0;
  record_.malformed = false;
  for (;;) {
    if (fields_.size() == kMostFields) return Cut::kTooManyFields;
    const bool quoted = at < end && *at == '"';
    if (quoted) {
      const Cut cut = cut_quoted(at, end);
      if (cut != Cut::kRecord) return cut;
    } else {
      const char* const field = at;
      while (at < end && !kStops[static_cast<unsigned char>(*at)]) ++at;
      fields_.push_back(between(field, at));
    }
    if (at < end && *at == '\0') return Cut::kNul;
    if (at < end && *at == ',') {
      ++at;
      continue;
    }
    if (at == end && !at_end_) return Cut::kMoreNeeded;
    if (!quoted && fields_.back().ends_with('\r')) fields_.back().remove_suffix(1);
    break;
  }
  const char* const past = at < end ? at + 1 : at;
  if (at > start && at[-1] == '\r') --at;
  record_.raw = between(start, at);
  record_.line_end = between(at, past);
  record_.fields = fields_;
  record_.line = line_;
  line_ += 1 + lines_inside_;
  begin_ += static_cast<std::size_t>(past - start);
  return Cut::kRecord;
}

/// Cuts the field whose opening quote is at `at`, and moves that to what ends the field.
CsvReader::Cut CsvReader::cut_quoted(const char*& at, const char* end) {
  const char* const open = at + 1;
  const std::size_t unescaped_before = unescaped_.size();
  const char* part = open;  // what is not yet copied to unescaped_
  const char* close = open;
  for (;;) {
    close = find(close, end, '"');
    if (close == end) return at_end_ ? Cut::kOpenQuote : Cut::kMoreNeeded;
    if (close + 1 == end || close[1] != '"') break;
    unescaped_.append(part, close + 1);
    close += 2;
    part = close;
  }
  const char* const nul = find(open, close, '\0');
  lines_inside_ += static_cast<std::uint64_t>(std::count(open, nul, '\n'));
  if (nul != close) return Cut::kNul;
  if (part == open) {
    fields_.push_back(between(open, close));
  } else {
    unescaped_.append(part, close);
    fields_.push_back(std::string_view(unescaped_).substr(unescaped_before));
  }
  const char* const rest = close + 1;
  at = rest;
  while (at < end && !kStops[static_cast<unsigned char>(*at)]) ++at;
  if (at != rest && between(rest, at) != "\r") record_.malformed = true;
  return Cut::kRecord;
}

/// Moves what is left to the front and reads until the buffer is full or the source ends.
Result<void> CsvReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  while (end_ < buffer_.size() && !at_end_) {
    auto got = source_.read(std::span(buffer_).subspan(end_));
    if (!got) return failure(got.error());
    at_end_ = *got == 0;
    end_ += *got;
  }
  return {};
}

tl::unexpected<Error> CsvReader::too_long(std::uint64_t line) const {
  return error(line, fmt::format("a row of more than {} MiB", kLongestRecord >> 20),
               "close its quotes, or shorten it");
}

tl::unexpected<Error> CsvReader::error(std::uint64_t line, std::string seen,
                                       std::string advice) const {
  return failure(ErrorKind::kSyntax, fmt::format("{}:{}", name_, line), std::move(seen),
                 std::move(advice));
}

}  // namespace uplift::read
