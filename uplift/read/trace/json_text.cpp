// SPDX-License-Identifier: Apache-2.0
// Exact times and escapes.
#include "uplift/read/trace/json_text.hpp"

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

}  // namespace

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

}  // namespace uplift::read
