// SPDX-License-Identifier: Apache-2.0
// What is fitted of one card besides the constants that all cards share: how far its real ceilings
// are from the basis, and what a timed call pays on top of the kernel.
#pragma once

#include "uplift/predict/op/op_card.hpp"

#include <array>
#include <cmath>

namespace uplift::fit {

struct CardScales {
  double compute = 0;   ///< ln of real over basis ceiling, arithmetic
  double memory = 0;    ///< likewise, DRAM
  double overhead = 0;  ///< s that every timed call took besides its kernel

  [[nodiscard]] predict::OpCard apply(predict::OpCard card) const {
    card.rate *= std::exp(compute);
    card.cuda_core_rate *= std::exp(compute);
    card.stream *= std::exp(memory);
    return card;
  }
};

}  // namespace uplift::fit
