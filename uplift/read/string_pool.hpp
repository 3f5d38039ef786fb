// SPDX-License-Identifier: Apache-2.0
// Stores each distinct string once and hands out small numbers for them. Recordings repeat a few
// hundred names millions of times; with this, memory follows the distinct ones.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace uplift::read {

using StringId = std::uint32_t;

class StringPool {
 public:
  /// 0 is the empty string.
  StringPool() { intern(""); }

  StringId intern(std::string_view text) {
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<StringId>(texts_.size());
    texts_.emplace_back(text);
    ids_.emplace(texts_.back(), id);
    return id;
  }
  [[nodiscard]] const std::string& text(StringId id) const { return texts_[id]; }

 private:
  std::deque<std::string> texts_;  // a deque, so that the keys below stay where they are
  std::unordered_map<std::string_view, StringId> ids_;
};

}  // namespace uplift::read
