// SPDX-License-Identifier: Apache-2.0
// Decodes UTF-8 (RFC 3629, table 3-7 of the Unicode standard for what is well formed) and escapes
// what must not reach a terminal as it is.
#include "uplift/core/printable.hpp"

#include <cstdint>

namespace uplift {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    out += kHexDigits[(value >> shift) & 0xFU];
  }
}

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;  ///< bytes; 0: not well-formed UTF-8
};

CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t length = 0;
  std::uint32_t value = 0;
  std::uint32_t least = 0;  // overlong forms are not well formed
  if ((lead & 0xE0U) == 0xC0) {
    length = 2, value = lead & 0x1FU, least = 0x80;
  } else if ((lead & 0xF0U) == 0xE0) {
    length = 3, value = lead & 0x0FU, least = 0x800;
  } else if ((lead & 0xF8U) == 0xF0) {
    length = 4, value = lead & 0x07U, least = 0x10000;
  }
  if (length == 0 || length > text.size()) return {};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < least || value > 0x10FFFF || surrogate) return {};
  return {value, length};
}

bool is_control(std::uint32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

/// Line and paragraph separators, and the marks that reorder the text around them.
bool reorders(std::uint32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = decode(text);
    if (c.length == 0) {
      out += "\\x";
      append_hex(out, static_cast<std::uint8_t>(text.front()), 2);
      text.remove_prefix(1);
      continue;
    }
    if (c.value == '\n') {
      out += "\\n";
    } else if (c.value == '\t') {
      out += "\\t";
    } else if (c.value == '\r') {
      out += "\\r";
    } else if (is_control(c.value)) {
      out += "\\x";
      append_hex(out, c.value, 2);
    } else if (reorders(c.value)) {
      out += "\\u";
      append_hex(out, c.value, 4);
    } else {
      out += text.substr(0, c.length);
    }
    text.remove_prefix(c.length);
  }
  return out;
}

}  // namespace uplift
