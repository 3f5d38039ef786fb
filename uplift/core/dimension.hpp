// SPDX-License-Identifier: Apache-2.0
// The seven hardware dimensions that every answer is split over. The words below are the JSON keys,
// the report columns and the file names of the model terms and of docs/dimensions/.
#pragma once

#include <array>
#include <string_view>

namespace uplift {

enum class Dimension { kTensor, kMemory, kCache, kCopy, kMig, kSparsity, kEnergy };

inline constexpr std::array<Dimension, 7> kDimensions = {
    Dimension::kTensor, Dimension::kMemory,   Dimension::kCache, Dimension::kCopy,
    Dimension::kMig,    Dimension::kSparsity, Dimension::kEnergy};

[[nodiscard]] constexpr std::string_view word(Dimension dimension) {
  switch (dimension) {
    case Dimension::kTensor:
      return "tensor";
    case Dimension::kMemory:
      return "memory";
    case Dimension::kCache:
      return "cache";
    case Dimension::kCopy:
      return "copy";
    case Dimension::kMig:
      return "mig";
    case Dimension::kSparsity:
      return "sparsity";
    case Dimension::kEnergy:
      return "energy";
  }
  return "";
}

}  // namespace uplift
