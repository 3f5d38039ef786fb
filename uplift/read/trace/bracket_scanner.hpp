// SPDX-License-Identifier: Apache-2.0
// Follows strings and brackets through JSON text in blocks of 64 bytes, as simdjson's first stage
// does, but only to find where values at the top level begin and end. State carries over from block
// to block, so text can arrive in pieces.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace uplift::read {

/// One bit per byte of a block.
struct BlockMasks {
  std::uint64_t quote = 0;
  std::uint64_t parity = 0;  ///< odd number of quotes so far, this byte included
  std::uint64_t backslash = 0;
  std::uint64_t open = 0;   ///< `{` or `[`
  std::uint64_t close = 0;  ///< `}` or `]`
};

inline constexpr std::size_t kBlockBytes = 64;

/// Classifies `blocks` blocks of text with the widest instructions that the machine has.
void classify_blocks(const char* text, std::size_t blocks, BlockMasks* masks);

/// For each byte, whether an odd number of bits are set up to and including it.
[[nodiscard]] inline std::uint64_t running_parity(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

class BracketScanner {
 public:
  /// Scans `text[begin, end)`, where kBlockBytes bytes past `end` are readable. Calls
  /// `on_edge(position, opens)` for every bracket outside strings at which a value at the top level
  /// begins or ends, or at which more brackets close than opened, until it returns false. Returns
  /// the position after the last byte scanned.
  template <class OnEdge>
  std::size_t scan(const char* text, std::size_t begin, std::size_t end, OnEdge&& on_edge) {
    constexpr std::size_t kBlocks = 32;
    std::array<BlockMasks, kBlocks> masks;
    while (begin < end) {
      const std::size_t blocks = std::min(kBlocks, (end - begin + kBlockBytes - 1) / kBlockBytes);
      classify_blocks(text + begin, blocks, masks.data());
      for (std::size_t i = 0; i < blocks; ++i) {
        const std::size_t count = std::min(kBlockBytes, end - begin);
        const std::size_t stopped = scan_block(masks[i], begin, count, on_edge);
        if (stopped != kWhole) return stopped;
        begin += count;
      }
    }
    return end;
  }

  /// Brackets that are open, less those that closed without having been opened.
  [[nodiscard]] std::int64_t depth() const { return depth_; }

 private:
  static constexpr std::size_t kWhole = SIZE_MAX;

  /// kWhole, or the position behind the bracket at which on_edge returned false.
  template <class OnEdge>
  std::size_t scan_block(const BlockMasks& masks, std::size_t begin, std::size_t count,
                         OnEdge&& on_edge) {
    const std::uint64_t valid =
        count == kBlockBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    std::uint64_t parity = masks.parity;
    if ((masks.backslash & valid) != 0 || escape_) {
      parity = running_parity(masks.quote & ~escaped_bytes(masks.backslash & valid, count));
    }
    if (in_string_) parity = ~parity;
    in_string_ = (parity >> (count - 1) & 1) != 0;
    const std::uint64_t outside = ~parity & valid;
    std::uint64_t brackets = (masks.open | masks.close) & outside;
    while (brackets != 0) {
      const int bit = std::countr_zero(brackets);
      brackets &= brackets - 1;
      const bool opens = (masks.open >> bit & 1) != 0;
      const bool edge = opens ? depth_ <= 0 : depth_ <= 1;
      depth_ += opens ? 1 : -1;
      if (!edge) continue;
      const std::size_t position = begin + static_cast<std::size_t>(bit);
      if (!on_edge(position, opens)) {
        // A bracket outside strings: no string or escape is open just after it.
        in_string_ = escape_ = false;
        return position + 1;
      }
    }
    return kWhole;
  }

  /// Bits of bytes that a backslash escapes; escaped backslashes do not escape further.
  std::uint64_t escaped_bytes(std::uint64_t backslash, std::size_t count) {
    std::uint64_t escaped = escape_ ? 1 : 0;
    escape_ = false;
    backslash &= ~escaped;
    while (backslash != 0) {
      const int bit = std::countr_zero(backslash);
      if (static_cast<std::size_t>(bit) + 1 >= count) {
        escape_ = true;
        break;
      }
      const std::uint64_t next = std::uint64_t{2} << bit;
      escaped |= next;
      backslash &= backslash - 1;
      backslash &= ~next;
    }
    return escaped;
  }

  std::int64_t depth_ = 0;
  bool in_string_ = false;
  bool escape_ = false;  ///< the next byte is escaped
};

}  // namespace uplift::read
