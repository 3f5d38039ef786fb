// SPDX-License-Identifier: Apache-2.0
// One way to classify a block for every machine, one for those with 32-byte registers. `{[` and
// `}]` differ by 0x20 only, so one comparison finds both.
#include "uplift/read/trace/bracket_scanner.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace uplift::read {
namespace {

using Classify = void (*)(const char*, std::size_t, BlockMasks*);

#if defined(__x86_64__)

void classify_sse2(const char* text, std::size_t blocks, BlockMasks* masks) {
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i lower = _mm_set1_epi8(0x20);
  const __m128i open = _mm_set1_epi8('{');
  const __m128i close = _mm_set1_epi8('}');
  const auto bits = [](__m128i matches) {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(matches)));
  };
  for (; blocks > 0; --blocks, ++masks, text += kBlockBytes) {
    *masks = {};
    for (std::size_t i = 0; i < kBlockBytes; i += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
      const __m128i folded = _mm_or_si128(bytes, lower);
      masks->quote |= bits(_mm_cmpeq_epi8(bytes, quote)) << i;
      masks->backslash |= bits(_mm_cmpeq_epi8(bytes, backslash)) << i;
      masks->open |= bits(_mm_cmpeq_epi8(folded, open)) << i;
      masks->close |= bits(_mm_cmpeq_epi8(folded, close)) << i;
    }
    masks->parity = running_parity(masks->quote);
  }
}

__attribute__((target("avx2,pclmul"))) std::uint64_t bits_of(__m256i low, __m256i high) {
  return static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_epi8(low))) |
         static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_epi8(high))) << 32;
}

__attribute__((target("avx2,pclmul"))) void classify_avx2(const char* text, std::size_t blocks,
                                                          BlockMasks* masks) {
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i backslash = _mm256_set1_epi8('\\');
  const __m256i lower = _mm256_set1_epi8(0x20);
  const __m256i open = _mm256_set1_epi8('{');
  const __m256i close = _mm256_set1_epi8('}');
  for (; blocks > 0; --blocks, ++masks, text += kBlockBytes) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32));
    const __m256i folded_low = _mm256_or_si256(low, lower);
    const __m256i folded_high = _mm256_or_si256(high, lower);
    masks->quote = bits_of(_mm256_cmpeq_epi8(low, quote), _mm256_cmpeq_epi8(high, quote));
    masks->backslash =
        bits_of(_mm256_cmpeq_epi8(low, backslash), _mm256_cmpeq_epi8(high, backslash));
    masks->open =
        bits_of(_mm256_cmpeq_epi8(folded_low, open), _mm256_cmpeq_epi8(folded_high, open));
    masks->close =
        bits_of(_mm256_cmpeq_epi8(folded_low, close), _mm256_cmpeq_epi8(folded_high, close));
    // A product without carries by all ones is the running parity.
    const __m128i product =
        _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(masks->quote)),
                             _mm_set1_epi8(static_cast<char>(0xff)), 0);
    masks->parity = static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
  }
}

#else

void classify_bytes(const char* text, std::size_t blocks, BlockMasks* masks) {
  for (; blocks > 0; --blocks, ++masks, text += kBlockBytes) {
    *masks = {};
    for (std::size_t i = 0; i < kBlockBytes; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      const char c = text[i];
      if (c == '"') masks->quote |= bit;
      if (c == '\\') masks->backslash |= bit;
      if ((c | 0x20) == '{') masks->open |= bit;
      if ((c | 0x20) == '}') masks->close |= bit;
    }
    masks->parity = running_parity(masks->quote);
  }
}

#endif

Classify choose() {
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul");
  return wide ? classify_avx2 : classify_sse2;
#else
  return classify_bytes;
#endif
}

}  // namespace

void classify_blocks(const char* text, std::size_t blocks, BlockMasks* masks) {
  static const Classify classify = choose();
  classify(text, blocks, masks);
}

}  // namespace uplift::read
