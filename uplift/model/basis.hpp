// SPDX-License-Identifier: Apache-2.0
// What a prediction knows of a card's sustained rates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace uplift::model {

enum class Basis : std::uint8_t {
  kDatasheet,  ///< peaks only, times a typical sustained share
  kPublished,  ///< sustained figures that others measured, from the catalog
  kMeasured,   ///< a profile of the card; what it lacks is as published
};

[[nodiscard]] constexpr std::string_view word(Basis basis) {
  constexpr std::array<std::string_view, 3> kWords = {"datasheet", "published", "measured"};
  return kWords[static_cast<std::size_t>(basis)];
}

/// True if sustained figures of the card go before those that its data sheet lets expect.
[[nodiscard]] constexpr bool has_sustained_figures(Basis basis) {
  return basis != Basis::kDatasheet;
}

}  // namespace uplift::model
