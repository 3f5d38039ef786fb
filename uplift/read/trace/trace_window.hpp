// SPDX-License-Identifier: Apache-2.0
// A movable window over the decompressed text of a trace. The part that is done with can be given
// away with its buffer; the window goes on in another one.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/read/byte_source.hpp"
#include "uplift/read/trace/event_run.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace uplift::read {

class TraceWindow {
 public:
  explicit TraceWindow(ByteSource& source) : source_(source), buffer_(first_size(source)) {}

  [[nodiscard]] char* data() { return buffer_.data(); }
  [[nodiscard]] std::size_t begin() const { return kHeadroomBytes; }
  [[nodiscard]] std::size_t end() const { return end_; }
  /// Place of a position in the decompressed text.
  [[nodiscard]] std::uint64_t offset(std::size_t position) const {
    return base_offset_ + (position - kHeadroomBytes);
  }
  /// No more text follows, because it ends here or because of `damage()`.
  [[nodiscard]] bool at_end() const { return at_end_; }
  /// Why the text ends where it should not: a cut or damaged compressed stream.
  [[nodiscard]] const std::optional<Error>& damage() const { return damage_; }

  /// Drops what lies before `keep` and reads more behind. Returns how far positions moved down.
  /// Errors: the file cannot be read.
  [[nodiscard]] Result<std::size_t> slide(std::size_t keep) {
    const std::size_t kept = end_ - keep;
    const bool crowded = kept > (buffer_.size() - kHeadroomBytes - kPaddingBytes) / 2;
    move_to(crowded ? TextBuffer(2 * buffer_.size()) : TextBuffer(), keep);
    return read_more(keep - kHeadroomBytes);
  }

  /// Gives away the text [first, last) with the buffer; what lies behind moves to `spare`, or to a
  /// new buffer if that is too small, and more is read. Returns how far positions moved down.
  [[nodiscard]] Result<std::size_t> give_away(std::size_t first, std::size_t last, std::size_t keep,
                                              TextBuffer spare, EventRun& run) {
    const std::size_t wanted =
        std::max(kWindowBytes, 2 * (end_ - keep) + kPaddingBytes) + kHeadroomBytes + kPaddingBytes;
    if (spare.size() < wanted) spare = TextBuffer(wanted);
    run.begin = first;
    run.length = last - first;
    run.buffer = move_to(std::move(spare), keep);
    return read_more(keep - kHeadroomBytes);
  }

 private:
  static constexpr std::size_t kWindowBytes = std::size_t{1} << 20;
  static constexpr std::size_t kSmallestWindow = std::size_t{1} << 12;

  /// A small file needs no large window; it grows where an event asks for it. 0 is a pipe.
  [[nodiscard]] static std::size_t first_size(const ByteSource& source) {
    const std::uint64_t size = source.file_size();
    const std::size_t text =
        size == 0 || size > kWindowBytes
            ? kWindowBytes
            : std::max(kSmallestWindow, static_cast<std::size_t>(size) + kPaddingBytes);
    return kHeadroomBytes + text + kPaddingBytes;
  }

  /// Moves the text from `keep` on to the front of `next`, or of the present buffer if `next` is
  /// empty, and returns the buffer that is no longer used.
  TextBuffer move_to(TextBuffer next, std::size_t keep) {
    char* const to = next.size() == 0 ? buffer_.data() : next.data();
    std::memmove(to + kHeadroomBytes, buffer_.data() + keep, end_ - keep);
    base_offset_ += keep - kHeadroomBytes;
    end_ = kHeadroomBytes + (end_ - keep);
    if (next.size() != 0) std::swap(next, buffer_);
    return next;
  }

  [[nodiscard]] Result<std::size_t> read_more(std::size_t moved) {
    if (at_end_) return moved;
    auto got = source_.read({buffer_.data() + end_, buffer_.size() - kPaddingBytes - end_});
    if (!got && got.error().kind != ErrorKind::kSyntax) return failure(got.error());
    if (!got) damage_ = got.error();
    at_end_ = !got || *got == 0;
    if (got) end_ += *got;
    return moved;
  }

  ByteSource& source_;
  TextBuffer buffer_;
  std::size_t end_ = kHeadroomBytes;
  std::uint64_t base_offset_ = 0;
  bool at_end_ = false;
  std::optional<Error> damage_;
};

}  // namespace uplift::read
