// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/shape_text.hpp"

#include "uplift/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace uplift::read {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string quoted_for_note(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::size_t length = std::min(text.size(), kMost);
  if (length < text.size()) {  // not in the middle of a UTF-8 sequence
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80) --length;
  }
  return fmt::format("'{}{}'", printable(text.substr(0, length)), length < text.size() ? "…" : "");
}

bool parse_whole(std::string_view name, std::string_view text, std::int64_t least,
                 std::int64_t most, std::int64_t& value, std::string& note) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && value >= least && value <= most) return true;
  if (text.empty()) {
    note = fmt::format("{} is empty", name);
  } else if (error == std::errc() && stop == end && value == 0) {
    note = fmt::format("{} is 0", name);
  } else if (text.front() == '-') {
    note = fmt::format("{} is negative: {}", name, quoted_for_note(text));
  } else if (all_digits(text)) {
    note = fmt::format("{} is {}; the most is {}", name, quoted_for_note(text), most);
  } else {
    note = fmt::format("{} is not a whole number: {}", name, quoted_for_note(text));
  }
  return false;
}

bool parse_amount(std::string_view name, std::string_view text, double& value, std::string& note) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && std::isfinite(value) && !std::signbit(value)) {
    return true;
  }
  if (text.empty()) {
    note = fmt::format("{} is empty", name);
  } else if (error == std::errc::result_out_of_range) {
    note = fmt::format("{} is beyond all numbers: {}", name, quoted_for_note(text));
  } else if (error == std::errc() && stop == end && std::isfinite(value)) {
    note = fmt::format("{} is negative: {}", name, quoted_for_note(text));
  } else {
    note = fmt::format("{} is not a number: {}", name, quoted_for_note(text));
  }
  return false;
}

ShapeText::ShapeText(std::string_view text, std::string_view kind, std::string& note)
    : kind_(kind), note_(note) {
  while (!text.empty()) {
    const std::size_t semicolon = std::min(text.find(';'), text.size());
    const std::string_view part = trimmed(text.substr(0, semicolon));
    text.remove_prefix(std::min(semicolon + 1, text.size()));
    if (part.empty()) continue;
    if (count_ == kMostPairs) {
      fail("the shape has too many keys");
      return;
    }
    const std::size_t equals = part.find('=');
    Pair& pair = pairs_[count_++];
    if (equals == std::string_view::npos) {
      pair = {part, {}, true, false};
    } else {
      pair = {trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1)), false, false};
    }
  }
}

ShapeText::Pair* ShapeText::find(std::string_view key) {
  if (!ok_) return nullptr;
  // Most tables name the keys in the order in which they are asked for.
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t at = next_ + i < count_ ? next_ + i : next_ + i - count_;
    Pair& pair = pairs_[at];
    if (pair.taken || !same_word(pair.key, key)) continue;
    pair.taken = true;
    next_ = at + 1 < count_ ? at + 1 : 0;
    return &pair;
  }
  return nullptr;
}

bool ShapeText::need(std::string_view key, std::int64_t& value, std::int64_t most) {
  const Pair* pair = find(key);
  if (pair == nullptr) {
    return fail(count_ == 0 ? std::string("the shape is empty")
                            : fmt::format("the shape of {} lacks {}", kind_, key));
  }
  ok_ = parse_whole(key, pair->value, 1, most, value, note_);
  return ok_;
}

bool ShapeText::take(std::string_view key, std::int64_t& value, std::int64_t least,
                     std::int64_t most) {
  if (const Pair* pair = find(key); pair != nullptr) {
    ok_ = parse_whole(key, pair->value, least, most, value, note_);
  }
  return ok_;
}

bool ShapeText::take_amount(std::string_view key, double& value) {
  if (const Pair* pair = find(key); pair != nullptr) {
    ok_ = parse_amount(key, pair->value, value, note_);
  }
  return ok_;
}

bool ShapeText::take_axes(std::string_view key, std::span<std::int64_t> values, std::int64_t least,
                          bool spread) {
  const Pair* pair = find(key);
  if (pair == nullptr) return ok_;
  std::string_view left = pair->value;
  std::size_t count = 0;
  for (;;) {
    if (count == values.size()) {
      return fail(fmt::format("{} has more than {} axes: {}", key, values.size(),
                              quoted_for_note(pair->value)));
    }
    const std::size_t cross = std::min(left.find_first_of("xX"), left.size());
    if (!parse_whole(key, left.substr(0, cross), least, kLargestExtent, values[count], note_)) {
      ok_ = false;
      return false;
    }
    ++count;
    if (cross == left.size()) break;
    left.remove_prefix(cross + 1);
  }
  if (!spread) return true;
  if (count == 1) std::fill(values.begin() + 1, values.end(), values[0]);
  if (count != 1 && count != values.size()) {
    return fail(fmt::format("{} has {} axes, not 1 or {}: {}", key, count, values.size(),
                            quoted_for_note(pair->value)));
  }
  return true;
}

bool ShapeText::take_word(std::string_view key, std::span<const std::string_view> words,
                          std::size_t& index) {
  const Pair* pair = find(key);
  if (pair == nullptr) return ok_;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!pair->bare && same_word(pair->value, words[i])) {
      index = i;
      return true;
    }
  }
  return fail(fmt::format("{} is {}; it is one of {}", key, quoted_for_note(pair->value),
                          fmt::join(words, ", ")));
}

bool ShapeText::take_flag(std::string_view key, bool& value) {
  const Pair* pair = find(key);
  if (pair == nullptr) return ok_;
  value = pair->bare || pair->value == "1" || same_word(pair->value, "true");
  if (value || pair->value == "0" || same_word(pair->value, "false")) return true;
  return fail(fmt::format("{} is {}; it is 0 or 1", key, quoted_for_note(pair->value)));
}

std::string_view ShapeText::take_text(std::string_view key) {
  const Pair* pair = find(key);
  return pair == nullptr ? std::string_view() : pair->value;
}

bool ShapeText::finish(std::string_view keys) {
  for (std::size_t i = 0; ok_ && i < count_; ++i) {
    const Pair& pair = pairs_[i];
    if (pair.taken) continue;
    const std::span given = std::span(pairs_).first(count_);
    const bool twice = std::any_of(given.begin(), given.end(), [&](const Pair& other) {
      return other.taken && other.key == pair.key;
    });
    if (pair.bare) {
      fail(fmt::format("the shape is not key=value;key=value: {}", quoted_for_note(pair.key)));
    } else if (twice) {
      fail(fmt::format("the shape has {} twice", quoted_for_note(pair.key)));
    } else {
      fail(fmt::format("{} has no shape key {}; its keys are {}", kind_, quoted_for_note(pair.key),
                       keys));
    }
  }
  return ok_;
}

bool ShapeText::fail(std::string note) {
  if (ok_) note_ = std::move(note);
  ok_ = false;
  return false;
}

}  // namespace uplift::read
