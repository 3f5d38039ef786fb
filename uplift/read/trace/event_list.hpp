// SPDX-License-Identifier: Apache-2.0
// Finds the whole events in the text of an event list as it comes in. JSON's own rule for strings
// is used as long as it leads to events; where it does not (a raw quote in a name turned inside and
// outside around), the event in question is looked at again with lenient_json.hpp's rule.
#pragma once

#include "uplift/read/trace/bracket_scanner.hpp"
#include "uplift/read/trace/lenient_json.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace uplift::read {

/// The first place from `at` on that is not white space, or the end.
[[nodiscard]] inline std::size_t skip_white(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) ++at;
  return at;
}

enum class Follows { kNo, kYes, kOpen };  ///< kOpen: the text ends before it is decided

/// Can what stands in `text` follow an event of a list?
[[nodiscard]] inline Follows follows_event(std::string_view text) {
  constexpr std::size_t kLongestKey = 256;
  const std::size_t at = skip_white(text, 0);
  if (at == text.size()) return Follows::kOpen;
  if (text[at] == ']') return Follows::kYes;
  if (text[at] != ',') return Follows::kNo;
  const std::size_t value = skip_white(text, at + 1);
  if (value == text.size()) return Follows::kOpen;
  if (text[value] != '"') return Follows::kYes;
  // A string may stray between events; a key belongs to an event that is not over.
  const std::size_t close = text.find('"', value + 1);
  if (close == std::string_view::npos) {
    return text.size() - value > kLongestKey ? Follows::kYes : Follows::kOpen;
  }
  const std::size_t colon = skip_white(text, close + 1);
  if (colon == text.size()) return Follows::kOpen;
  return text[colon] == ':' ? Follows::kNo : Follows::kYes;
}

/// Can it follow a list of events?
[[nodiscard]] inline bool may_follow_list(std::string_view text) {
  const std::size_t at = skip_white(text, 0);
  if (at == text.size()) return true;
  const std::size_t then = skip_white(text, at + 1);
  if (text[at] == '}') return then == text.size();
  return text[at] == ',' && (then == text.size() || text[then] == '"');
}

class EventList {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  /// `position`: behind the bracket that opens the list.
  explicit EventList(std::size_t position) : position_(position) {}

  /// Goes on through `text[.., end)`, of which kBlockBytes bytes past `end` are readable, until the
  /// list closes or the text ends. `at_end`: no more text follows.
  void scan(const char* text, std::size_t end, bool at_end) {
    for (;;) {
      if (pending_end_ != kNone && !decide_pending(text, end, at_end)) return;
      if (misled_) {
        const bool enough = at_end || end - open_ >= suspicion_;
        if (!enough || !look_again(text, end, at_end)) {
          position_ = end;
          return;
        }
      }
      scan_strictly(text, end);
      if (misled_ || pending_end_ != kNone) continue;
      if (closed_ || broken_ || open_ == kNone) return;
      // An event that does not end where it should may be one whose quotes mislead.
      if (!at_end && end - open_ < suspicion_) return;
      if (!look_again(text, end, at_end)) return;
    }
  }

  /// Tells that everything moved down in memory by `distance`.
  void move_down(std::size_t distance) {
    position_ -= distance;
    if (open_ != kNone) open_ -= distance;
    for (std::size_t* place :
         {&first_, &last_, &before_last_, &last_open_, &reopened_, &pending_end_}) {
      if (*place != kNone) *place -= distance;
    }
  }
  void forget_whole_events() { first_ = last_ = before_last_ = last_open_ = reopened_ = kNone; }

  [[nodiscard]] bool closed() const { return closed_; }  ///< behind the list's closing bracket
  [[nodiscard]] bool broken() const { return broken_; }  ///< no list of events from here on
  [[nodiscard]] std::size_t position() const { return position_; }
  /// Start of the event that is not whole yet, or kNone.
  [[nodiscard]] std::size_t open() const { return open_; }
  /// The whole events found since forget_whole_events(): [first, last), or kNone.
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t last() const { return last_; }

 private:
  /// Events of this length are looked at twice: profilers write few that are longer.
  static constexpr std::size_t kSuspicion = std::size_t{256} << 10;

  void take(std::size_t end) {
    before_last_ = last_;
    last_open_ = open_;
    if (first_ == kNone) first_ = open_;
    last_ = end;
    open_ = kNone;
    suspicion_ = kSuspicion;
  }

  /// Makes the last whole event the open one again: what follows it cannot follow an event. False:
  /// there is none, or this was tried before.
  [[nodiscard]] bool reopen() {
    if (last_open_ == kNone || last_open_ == reopened_) return false;
    open_ = reopened_ = last_open_;
    last_ = before_last_;
    if (last_ == kNone) first_ = kNone;
    last_open_ = kNone;
    return true;
  }

  /// Takes the open event that ends before `rest`, or finds that it does not end there, or leaves
  /// that open until there is more text.
  void decide(std::string_view rest, std::size_t end) {
    const Follows follows = follows_event(rest);
    pending_end_ = follows == Follows::kOpen ? end : kNone;
    if (follows == Follows::kYes) take(end);
    misled_ = follows == Follows::kNo;
    if (misled_) suspicion_ = 0;
  }

  /// Goes on behind an event that seemed to end where the text did. False: still not decided.
  [[nodiscard]] bool decide_pending(const char* text, std::size_t end, bool at_end) {
    const std::size_t seeming_end = pending_end_;
    position_ = seeming_end;
    decide({text + seeming_end, end - seeming_end}, seeming_end);
    if (pending_end_ == kNone) return true;
    if (!at_end) {
      position_ = end;
      return false;
    }
    // The text ends here: cut behind an event, or raw quotes swallowed the end of the list.
    pending_end_ = kNone;
    const std::size_t length = find_value_end({text + open_, end - open_}, true);
    if (length != std::string_view::npos) position_ = open_ + length;
    scanner_ = BracketScanner();
    take(position_);
    return true;
  }

  void scan_strictly(const char* text, std::size_t end) {
    const auto rest = [&](std::size_t at) { return std::string_view(text + at, end - at); };
    position_ = scanner_.scan(text, position_, end, [&](std::size_t at, bool opens) {
      if (opens) {
        open_ = at;
        return true;
      }
      if (scanner_.depth() == 0) {
        misled_ = text[at] != (text[open_] == '{' ? '}' : ']');
        if (!misled_) decide(rest(at + 1), at + 1);
      } else if (text[at] == ']' && may_follow_list(rest(at + 1))) {
        closed_ = true;
      } else {
        misled_ = reopen();
        broken_ = !misled_;
      }
      if (misled_) suspicion_ = 0;
      return !misled_ && !closed_ && !broken_ && pending_end_ == kNone;
    });
  }

  /// Finds the end of the open event by the lenient rule and goes on behind it.
  [[nodiscard]] bool look_again(const char* text, std::size_t end, bool complete) {
    const std::size_t length = find_value_end({text + open_, end - open_}, complete);
    suspicion_ = std::max(suspicion_, 2 * (end - open_));
    if (length == std::string_view::npos) return false;
    position_ = open_ + length;
    scanner_ = BracketScanner();
    misled_ = false;
    take(position_);
    return true;
  }

  BracketScanner scanner_;
  std::size_t position_;
  std::size_t open_ = kNone;
  std::size_t first_ = kNone;
  std::size_t last_ = kNone;
  std::size_t before_last_ = kNone;  ///< last() before the last event was taken
  std::size_t last_open_ = kNone;    ///< start of the last whole event
  std::size_t reopened_ = kNone;     ///< start of the event that was opened again last
  std::size_t pending_end_ = kNone;  ///< where the open event ends if the next text allows it
  std::size_t suspicion_ = kSuspicion;
  bool misled_ = false;  ///< the open event may not end where the strict rule has it
  bool closed_ = false;
  bool broken_ = false;
};

}  // namespace uplift::read
