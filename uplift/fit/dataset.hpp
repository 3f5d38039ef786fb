// SPDX-License-Identifier: Apache-2.0
// Timings of operations on several cards, as fits and tables of accuracy take them.
#pragma once

#include "uplift/core/math.hpp"
#include "uplift/core/op.hpp"
#include "uplift/predict/op/op_card.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace uplift::fit {

struct Sample {
  std::size_t card = 0;     ///< index into Dataset::cards
  std::uint32_t group = 0;  ///< equal for equal operations
  Op op;
  double seconds = 0;
};

/// One card on one basis, for every format.
using CardByMath = std::array<predict::OpCard, kMaths.size()>;

struct FitCard {
  std::string id;
  CardByMath datasheet;
  CardByMath published;
};

struct Dataset {
  std::vector<FitCard> cards;
  std::vector<Sample> samples;
};

}  // namespace uplift::fit
