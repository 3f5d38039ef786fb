// SPDX-License-Identifier: Apache-2.0
// The `key=value;key=value` of a shape column, and the words and numbers of an op table: strict,
// and with a sentence for the row's note about the first thing that is wrong.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace uplift::read {

/// Without spaces and tabs at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// The same letters, whatever the case of ASCII ones in `text`; `lower_word` is in lower case.
[[nodiscard]] inline bool same_word(std::string_view text, std::string_view lower_word) {
  if (text.size() != lower_word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c) != lower_word[i]) return false;
  }
  return true;
}

/// `text` in quotes as a note quotes it: printable and not long.
[[nodiscard]] std::string quoted_for_note(std::string_view text);

/// The largest extent that formulas are made for, 2^40.
inline constexpr std::int64_t kLargestExtent = std::int64_t{1} << 40;

/// Parses whole numbers from `least` to `most`. False: `note` says why, with `name` as the subject.
[[nodiscard]] bool parse_whole(std::string_view name, std::string_view text, std::int64_t least,
                               std::int64_t most, std::int64_t& value, std::string& note);
/// Parses finite decimal numbers of at least 0.
[[nodiscard]] bool parse_amount(std::string_view name, std::string_view text, double& value,
                                std::string& note);

/// The pairs of one shape. Every getter but the last returns false once something is wrong, and
/// then does nothing; what it is stands in the note.
class ShapeText {
 public:
  ShapeText(std::string_view text, std::string_view kind, std::string& note);

  /// Required whole numbers; the extent 0 is refused.
  bool need(std::string_view key, std::int64_t& value, std::int64_t most = kLargestExtent);
  /// The same, left as it is without the key.
  bool take(std::string_view key, std::int64_t& value, std::int64_t least = 1,
            std::int64_t most = kLargestExtent);
  bool take_amount(std::string_view key, double& value);
  /// Up to `values.size()` whole numbers joined by `x`; one alone stands for all of them if
  /// `spread`, else for the first. Without the key they stay. `least` as for take().
  bool take_axes(std::string_view key, std::span<std::int64_t> values, std::int64_t least,
                 bool spread);
  /// The index of the value in `words`, left as it is without the key.
  bool take_word(std::string_view key, std::span<const std::string_view> words, std::size_t& index);
  /// 0, 1, false or true; the key alone is true.
  bool take_flag(std::string_view key, bool& value);
  /// The value as it stands; empty without the key.
  std::string_view take_text(std::string_view key);

  /// True if nothing was wrong and no key is left over; `keys` lists those there are.
  bool finish(std::string_view keys);
  bool fail(std::string note);
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  struct Pair {
    std::string_view key, value;
    bool bare;  ///< a key without `=`
    bool taken;
  };
  [[nodiscard]] Pair* find(std::string_view key);

  static constexpr std::size_t kMostPairs = 24;
  std::array<Pair, kMostPairs> pairs_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;  ///< where the next key is likely
  std::string_view kind_;
  std::string& note_;
  bool ok_ = true;
};

}  // namespace uplift::read
