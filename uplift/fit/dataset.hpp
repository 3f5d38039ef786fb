// SPDX-License-Identifier: Apache-2.0
// Timings of operations on several cards, as fits and tables of accuracy take them.
#pragma once

#include "uplift/predict/op/card_scales.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace uplift::fit {

struct Sample {
  std::size_t card = 0;     ///< index into Dataset::cards
  std::uint32_t group = 0;  ///< equal for equal operations
  predict::TimedOp timed;
};

struct FitCard {
  std::string id;
  predict::CardByMath datasheet;
  predict::CardByMath published;
  bool with_launch = false;  ///< its calls were timed one by one, with their launch

  [[nodiscard]] const predict::CardByMath& on(bool datasheet_only) const {
    return datasheet_only ? datasheet : published;
  }
};

/// Timings of one family.
struct Dataset {
  std::vector<FitCard> cards;
  std::vector<Sample> samples;
};

/// At most `most` samples of a card, spread evenly over their order.
[[nodiscard]] std::vector<const Sample*> samples_of(const Dataset& data, std::size_t card,
                                                    std::size_t most = SIZE_MAX);

}  // namespace uplift::fit
