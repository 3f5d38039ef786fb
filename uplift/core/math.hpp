// SPDX-License-Identifier: Apache-2.0
// The arithmetic a kernel runs in: a number format and the unit that executes it. `fp64_tc` is FP64
// on tensor cores; `fp32` is the CUDA cores; tf32 and below are tensor cores where the card has
// them, CUDA cores (or a wider format) where it has not.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace uplift {

enum class Math { kFp64, kFp64Tc, kFp32, kTf32, kFp16, kBf16, kFp8, kInt8, kInt4 };

inline constexpr std::array<Math, 9> kMaths = {Math::kFp64, Math::kFp64Tc, Math::kFp32,
                                               Math::kTf32, Math::kFp16,   Math::kBf16,
                                               Math::kFp8,  Math::kInt8,   Math::kInt4};

[[nodiscard]] constexpr std::size_t index(Math math) { return static_cast<std::size_t>(math); }

/// The word used in op tables, the catalog and JSON.
[[nodiscard]] constexpr std::string_view word(Math math) {
  constexpr std::array<std::string_view, 9> kWords = {"fp64", "fp64_tc", "fp32", "tf32", "fp16",
                                                      "bf16", "fp8",     "int8", "int4"};
  return kWords[index(math)];
}

[[nodiscard]] constexpr std::optional<Math> parse_math(std::string_view text) {
  for (const Math math : kMaths) {
    if (word(math) == text) return math;
  }
  return std::nullopt;
}

/// Bytes that one element takes in memory: tf32 is stored as fp32 (4 bytes), int4 is half a byte.
[[nodiscard]] constexpr double storage_bytes(Math math) {
  constexpr std::array<double, 9> kBytes = {8, 8, 4, 4, 2, 2, 1, 1, 0.5};
  return kBytes[index(math)];
}

}  // namespace uplift
