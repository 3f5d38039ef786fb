// SPDX-License-Identifier: Apache-2.0
// Follows strings and brackets through JSON text in blocks of 64 bytes, as simdjson's first stage
// does, but only to know how deep each bracket lies. State carries over from block to block, so
// text can arrive in pieces.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace uplift::read {

/// One bit per byte of a block.
struct BlockMasks {
  std::uint64_t quote = 0;
  std::uint64_t backslash = 0;
  std::uint64_t open = 0;   ///< `{` or `[`
  std::uint64_t close = 0;  ///< `}` or `]`
};

inline constexpr std::size_t kBlockBytes = 64;

/// Classifies 64 readable bytes. `{[` and `}]` differ by 0x20 only, so one compare finds both.
inline BlockMasks classify_block(const char* text) {
  BlockMasks masks;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i lower = _mm_set1_epi8(0x20);
  const __m128i open = _mm_set1_epi8('{');
  const __m128i close = _mm_set1_epi8('}');
  const auto bits = [](__m128i matches) {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(matches)));
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * i));
    const __m128i folded = _mm_or_si128(bytes, lower);
    masks.quote |= bits(_mm_cmpeq_epi8(bytes, quote)) << (16 * i);
    masks.backslash |= bits(_mm_cmpeq_epi8(bytes, backslash)) << (16 * i);
    masks.open |= bits(_mm_cmpeq_epi8(folded, open)) << (16 * i);
    masks.close |= bits(_mm_cmpeq_epi8(folded, close)) << (16 * i);
  }
#else
  for (std::size_t i = 0; i < kBlockBytes; ++i) {
    const char c = text[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (c == '"') masks.quote |= bit;
    if (c == '\\') masks.backslash |= bit;
    if ((c | 0x20) == '{') masks.open |= bit;
    if ((c | 0x20) == '}') masks.close |= bit;
  }
#endif
  return masks;
}

class BracketScanner {
 public:
  /// Scans `text[begin, end)`, where kBlockBytes bytes past `end` are readable, and calls
  /// `on_bracket(position, opens)` for every bracket outside strings until it returns false.
  /// Returns the position after the last byte scanned.
  template <class OnBracket>
  std::size_t scan(const char* text, std::size_t begin, std::size_t end, OnBracket&& on_bracket) {
    while (begin < end) {
      const std::size_t count = end - begin < kBlockBytes ? end - begin : kBlockBytes;
      const std::uint64_t valid =
          count == kBlockBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      const BlockMasks masks = classify_block(text + begin);
      const std::uint64_t escaped = escaped_bytes(masks.backslash & valid, count);
      const std::uint64_t in_string = string_bytes(masks.quote & ~escaped & valid, count);
      std::uint64_t brackets = (masks.open | masks.close) & ~in_string & valid;
      while (brackets != 0) {
        const int bit = std::countr_zero(brackets);
        brackets &= brackets - 1;
        const std::size_t position = begin + static_cast<std::size_t>(bit);
        if (!on_bracket(position, (masks.open >> bit & 1) != 0)) {
          // A bracket outside strings: no string or escape is open just after it.
          state_ = State{};
          return position + 1;
        }
      }
      begin += count;
    }
    return end;
  }

  [[nodiscard]] bool in_string() const { return state_.in_string; }

 private:
  struct State {
    bool in_string = false;
    bool escape = false;  ///< the next byte is escaped
  };

  /// Bits of bytes that a backslash escapes; escaped backslashes do not escape further.
  std::uint64_t escaped_bytes(std::uint64_t backslash, std::size_t count) {
    std::uint64_t escaped = state_.escape ? 1 : 0;
    state_.escape = false;
    backslash &= ~escaped;
    while (backslash != 0) {
      const int bit = std::countr_zero(backslash);
      if (static_cast<std::size_t>(bit) + 1 >= count) {
        state_.escape = true;
        break;
      }
      const std::uint64_t next = std::uint64_t{2} << bit;
      escaped |= next;
      backslash &= backslash - 1;
      backslash &= ~next;
    }
    return escaped;
  }

  /// Bits of bytes inside strings, opening quote included: a running parity of the quotes.
  std::uint64_t string_bytes(std::uint64_t quote, std::size_t count) {
    std::uint64_t parity = quote;
    for (int shift = 1; shift < 64; shift *= 2) parity ^= parity << shift;
    if (state_.in_string) parity = ~parity;
    state_.in_string = (parity >> (count - 1) & 1) != 0;
    return parity;
  }

  State state_;
};

}  // namespace uplift::read
