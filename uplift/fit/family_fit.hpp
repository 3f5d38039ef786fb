// SPDX-License-Identifier: Apache-2.0
// Fits the constants of one family on some cards, each card with scales of its own, so that what is
// peculiar to a card does not leak into what is said of all.
#pragma once

#include "uplift/fit/dataset.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace uplift::fit {

struct FitOptions {
  std::size_t rows_per_card = 500;
  double scale_prior = 0.3;     ///< sd of ln of a ceiling's scale among cards
  double overhead_prior = 0.3;  ///< sd of ln of the overhead among cards
  int iterations = 60;
};

struct FamilyFit {
  std::vector<double> constants;                     ///< in the order of OpFamily::parameters()
  std::map<std::size_t, predict::CardScales> cards;  ///< of the cards fitted on
  double noise = 0;                                  ///< sd of ln residuals
};

/// Fits on the samples of `cards`, on their published figures; other cards are not looked at.
[[nodiscard]] FamilyFit fit_family(const predict::OpFamily& family, const Dataset& data,
                                   std::span<const std::size_t> cards, const FitOptions& options);

}  // namespace uplift::fit
