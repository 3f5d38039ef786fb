// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/text_width.hpp"

#include <algorithm>
#include <cstdint>

namespace uplift::report {
namespace {

struct Decoded {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;  ///< consumed
};

/// One code point; a byte that starts none counts as one column.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  return {code, length};
}

int code_width(char32_t code) {
  if ((code >= 0x0300 && code <= 0x036F) || (code >= 0xFE00 && code <= 0xFE0F)) return 0;
  const bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0x303E) ||
                    (code >= 0x3041 && code <= 0xA4CF) || (code >= 0xAC00 && code <= 0xD7A3) ||
                    (code >= 0xF900 && code <= 0xFAFF) || (code >= 0xFE30 && code <= 0xFE6F) ||
                    (code >= 0xFF00 && code <= 0xFF60) || (code >= 0xFFE0 && code <= 0xFFE6) ||
                    (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
  return wide ? 2 : 1;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Decoded next = decode(text);
    width += code_width(next.code);
    text.remove_prefix(next.bytes);
  }
  return width;
}

std::string truncate(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 0) return "";
  std::string cut;
  int used = 0;
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (used + code_width(next.code) > width - 1) break;
    used += code_width(next.code);
    cut += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
  }
  return cut + "…";
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = text.find_first_not_of(' ', at);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view next = text.substr(start, end - start);
    if (!line.empty() && display_width(line) + 1 + display_width(next) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += next;
    at = end;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace uplift::report
