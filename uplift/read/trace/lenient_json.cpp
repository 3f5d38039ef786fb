// SPDX-License-Identifier: Apache-2.0
// One walk over the text, with the brackets that are open; strings end where the structure allows.
#include "uplift/read/trace/lenient_json.hpp"

#include "uplift/read/trace/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace uplift::read {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;
constexpr std::size_t kLongestKey = 256;
constexpr int kMostOuter = 2;  // the list of events and the object around it

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

enum class Verdict { kNo, kYes, kOpen };  // kOpen: the text ends before it is decided

/// The brackets around a place, and whether a key stands next.
class Structure {
 public:
  Structure(std::string_view text, bool complete) : text_(text), complete_(complete) {}

  /// Takes a character outside strings. False: nested too deep.
  [[nodiscard]] bool take(char c) {
    if (c == '{' || c == '[') {
      if (open_.size() >= kDepthLimit) return false;
      open_ += c;
      key_next_ = c == '{';
    } else if (c == '}' || c == ']') {
      if (!open_.empty()) open_.pop_back();
      key_next_ = false;
    } else if (c == ',') {
      key_next_ = in_object();
    } else if (c == ':') {
      key_next_ = false;
    }
    return true;
  }
  [[nodiscard]] bool at_top() const { return open_.empty(); }

  /// Position of the quote that closes the string opened at `at`; npos: not decided, or none.
  [[nodiscard]] std::size_t string_end(std::size_t at) const {
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '\\') {
        if (i + 1 < text_.size() && text_[i + 1] == '"' && in_object()) {
          // An escaped quote, or a lone backslash before the end of the string?
          const Verdict closes = may_close(i + 1);
          if (closes == Verdict::kYes) return i + 1;
          if (closes == Verdict::kOpen) return kEnd;
        }
        ++i;
      } else if (c == '"') {
        const Verdict closes = may_close(i);
        if (closes == Verdict::kYes) return i;
        if (closes == Verdict::kOpen) return kEnd;
      }
    }
    return kEnd;
  }

 private:
  [[nodiscard]] bool in_object() const { return !open_.empty() && open_.back() == '{'; }
  [[nodiscard]] Verdict undecided() const { return complete_ ? Verdict::kNo : Verdict::kOpen; }

  /// Can a string end at the quote at `quote`?
  [[nodiscard]] Verdict may_close(std::size_t quote) const {
    std::size_t at = skip_space(text_, quote + 1);
    if (key_next_) {
      if (at == text_.size()) return undecided();
      return text_[at] == ':' ? Verdict::kYes : Verdict::kNo;
    }
    std::size_t depth = open_.size();
    int outer = 0;  // brackets closed that were opened before the text
    for (;; at = skip_space(text_, at + 1)) {
      if (at == text_.size()) {
        if (depth == 0 && complete_) return Verdict::kYes;
        return undecided();
      }
      const char c = text_[at];
      if (c != '}' && c != ']') break;
      if (depth == 0) {
        if (++outer > kMostOuter) return Verdict::kNo;
        continue;
      }
      if (open_[depth - 1] != (c == '}' ? '{' : '[')) return Verdict::kNo;
      --depth;
    }
    if (text_[at] != ',') return Verdict::kNo;
    at = skip_space(text_, at + 1);
    if (at == text_.size()) return depth == 0 && complete_ ? Verdict::kYes : undecided();
    if (depth > 0 && open_[depth - 1] == '{') return is_key(at);
    constexpr std::string_view kStarts = "\"{[-0123456789tfnNI";
    return kStarts.find(text_[at]) != kEnd ? Verdict::kYes : Verdict::kNo;
  }

  /// Does `"key":` stand at `at`?
  [[nodiscard]] Verdict is_key(std::size_t at) const {
    if (text_[at] != '"') return Verdict::kNo;
    const std::size_t last = std::min(text_.size(), at + kLongestKey);
    for (std::size_t i = at + 1; i < last; ++i) {
      if (text_[i] == '\\') {
        ++i;
        continue;
      }
      if (text_[i] != '"') continue;
      const std::size_t colon = skip_space(text_, i + 1);
      if (colon == text_.size()) return undecided();
      return text_[colon] == ':' ? Verdict::kYes : Verdict::kNo;
    }
    return last == text_.size() ? undecided() : Verdict::kNo;
  }

  std::string_view text_;
  bool complete_;
  std::string open_;
  bool key_next_ = false;
};

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

/// Appends the inside of a string as JSON has it.
void append_inside(std::string& out, std::string_view inside) {
  for (std::size_t i = 0; i < inside.size();) {
    const std::string_view rest = inside.substr(i);
    const char c = rest[0];
    if (c == '\\') {
      const bool escape = starts_escape(rest);
      out += escape ? rest.substr(0, 2) : "\\\\";
      i += escape ? 2 : 1;
    } else if (c == '"') {
      out += "\\\"";
      ++i;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      ++i;
    } else if (const std::size_t length = utf8_length(rest); length == 0) {
      out += '?';
      ++i;
    } else {
      out += rest.substr(0, length);
      i += length;
    }
  }
}

/// Length of a bare word that stands for a number that JSON does not have; 0: none.
std::size_t bare_number(std::string_view rest) {
  const std::string_view word = rest[0] == '-' ? rest.substr(1) : rest;
  const std::size_t sign = rest.size() - word.size();
  for (const std::string_view known : {"NaN", "nan", "Infinity", "inf"}) {
    if (word.starts_with(known)) return sign + known.size();
  }
  return 0;
}

}  // namespace

std::size_t find_value_end(std::string_view text, bool complete) {
  Structure structure(text, complete);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      i = structure.string_end(i);
      if (i == kEnd) return kEnd;
      continue;
    }
    if (!structure.take(c)) return kEnd;
    if ((c == '}' || c == ']') && structure.at_top()) return i + 1;
  }
  return kEnd;
}

std::string repair_json(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  Structure structure(text, true);
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t close = structure.string_end(i);
      out += '"';
      append_inside(out, text.substr(i + 1, close == kEnd ? kEnd : close - i - 1));
      if (close == kEnd) return out;
      out += '"';
      i = close + 1;
      continue;
    }
    if (const std::size_t length = bare_number(text.substr(i)); length != 0) {
      out += "null";
      i += length;
      continue;
    }
    if (!structure.take(c)) return out;
    out += c;
    ++i;
  }
  return out;
}

}  // namespace uplift::read
