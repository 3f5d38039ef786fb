// SPDX-License-Identifier: Apache-2.0
// A ByteSource over bytes in memory, handed out in pieces of a chosen size, so that readers can be
// tested (and fuzzed) without files and at every place where a piece may end.
#pragma once

#include "uplift/read/byte_source.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace uplift::read {

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes, std::size_t piece = SIZE_MAX)
      : bytes_(std::move(bytes)), piece_(piece) {}

  [[nodiscard]] Result<std::size_t> read(std::span<char> out) override {
    const std::size_t count = std::min({out.size(), piece_, bytes_.size() - position_});
    std::memcpy(out.data(), bytes_.data() + position_, count);
    position_ += count;
    return count;
  }
  [[nodiscard]] std::uint64_t file_position() const override { return position_; }
  [[nodiscard]] std::uint64_t file_size() const override { return bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t piece_;
  std::size_t position_ = 0;
};

}  // namespace uplift::read
