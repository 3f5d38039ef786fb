// SPDX-License-Identifier: Apache-2.0
// A stretch of a trace's text that holds whole events, with the buffer it lies in, so that it can
// be handed to another thread without being copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace uplift::read {

/// Uninitialised bytes of a fixed size.
class TextBuffer {
 public:
  TextBuffer() = default;
  explicit TextBuffer(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}
  [[nodiscard]] char* data() { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

/// Bytes before and after the text of a run that belong to it and may be overwritten.
inline constexpr std::size_t kHeadroomBytes = 64;
inline constexpr std::size_t kPaddingBytes = 128;

struct EventRun {
  TextBuffer buffer;
  std::size_t begin = 0;  ///< at least kHeadroomBytes
  std::size_t length = 0;

  [[nodiscard]] char* data() { return buffer.data() + begin; }
  [[nodiscard]] std::string_view text() { return {data(), length}; }
};

}  // namespace uplift::read
