// SPDX-License-Identifier: Apache-2.0
// Exact times, escapes, and the repair of nearly-JSON.
#include "uplift/read/trace/json_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace uplift::read {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A number with an exponent, or with too many digits: through double, where exactness ends anyway.
std::optional<std::int64_t> parse_inexact(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  value *= 1000.0;
  if (std::abs(value) >= 9.2e18) return {};
  return std::llround(value);
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

/// Length of the UTF-8 sequence at the start of `text`, 0 if it is not one.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80         ? 1
                             : lead >> 5 == 0x6  ? 2
                             : lead >> 4 == 0xe  ? 3
                             : lead >> 3 == 0x1e ? 4
                                                 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  if (length == 2 && lead < 0xc2) return 0;
  const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
  if (lead == 0xe0 && second < 0xa0) return 0;
  if (lead == 0xed && second > 0x9f) return 0;  // surrogates
  if (lead == 0xf0 && second < 0x90) return 0;
  if (lead > 0xf4 || (lead == 0xf4 && second > 0x8f)) return 0;
  return length;
}

bool starts_escape(std::string_view rest) {
  if (rest.size() < 2) return false;
  if (rest[1] == 'u') {
    if (rest.size() < 6) return false;
    for (std::size_t i = 2; i < 6; ++i) {
      const char c = static_cast<char>(rest[i] | 0x20);
      if (!is_digit(rest[i]) && (c < 'a' || c > 'f')) return false;
    }
    return true;
  }
  return std::string_view("\"\\/bfnrt").find(rest[1]) != std::string_view::npos;
}

}  // namespace

std::optional<std::int64_t> parse_microseconds(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '"')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '"' || static_cast<unsigned char>(text.back()) <= ' ')) {
    text.remove_suffix(1);
  }
  const std::string_view whole = text;
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return {};
  std::int64_t ns = 0;
  std::size_t i = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    if (ns > (INT64_MAX / 1000 - 9) / 10) return parse_inexact(whole);
    ns = ns * 10 + (text[i] - '0');
  }
  ns *= 1000;
  if (i < text.size() && text[i] == '.') {
    ++i;
    std::int64_t scale = 100;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      if (scale > 0) {
        ns += (text[i] - '0') * scale;
        if (scale == 1) {
          const bool up = i + 1 < text.size() && text[i + 1] >= '5' && text[i + 1] <= '9';
          ns += up ? 1 : 0;
        }
        scale /= 10;
      }
    }
  }
  if (i != text.size()) return parse_inexact(whole);
  return negative ? -ns : ns;
}

std::string unescape(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || !starts_escape(raw.substr(i))) {
      out += raw[i];
      continue;
    }
    const char kind = raw[++i];
    switch (kind) {
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        unsigned code = 0;
        std::from_chars(raw.data() + i + 1, raw.data() + i + 5, code, 16);
        append_utf8(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
        i += 4;
        break;
      }
      default:
        out += kind;
    }
  }
  return out;
}

std::string repair_json(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const char c = rest[0];
    if (!in_string) {
      const std::string_view number = c == '-' ? rest.substr(1) : rest;
      const std::size_t word = number.starts_with("NaN") || number.starts_with("nan") ? 3
                               : number.starts_with("Infinity")                       ? 8
                               : number.starts_with("inf")                            ? 3
                                                                                      : 0;
      if (word != 0) {
        out += "null";
        i += word + (c == '-' ? 1 : 0);
        continue;
      }
      in_string = c == '"';
      out += c;
      ++i;
      continue;
    }
    if (c == '\\') {
      if (starts_escape(rest)) {
        out += rest.substr(0, 2);
        i += 2;
      } else {
        out += "\\\\";
        ++i;
      }
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      ++i;
      continue;
    }
    const std::size_t length = utf8_length(rest);
    if (length == 0) {
      out += '?';
      ++i;
      continue;
    }
    in_string = c != '"';
    out += rest.substr(0, length);
    i += length;
  }
  return out;
}

}  // namespace uplift::read
