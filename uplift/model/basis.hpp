// SPDX-License-Identifier: Apache-2.0
// What a prediction knows of a card's sustained rates.
#pragma once

#include <cstdint>
#include <string_view>

namespace uplift::model {

enum class Basis : std::uint8_t {
  kDatasheet,  ///< peaks only, times a typical sustained share
  kPublished,  ///< sustained figures that others measured, from the catalog
};

[[nodiscard]] constexpr std::string_view word(Basis basis) {
  return basis == Basis::kPublished ? "published" : "datasheet";
}

}  // namespace uplift::model
