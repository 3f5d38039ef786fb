// SPDX-License-Identifier: Apache-2.0
// Fits the constants of one family on some cards, each card with scales of its own, so that what is
// peculiar to a card does not leak into what is said of all.
#pragma once

#include "uplift/fit/card_scales.hpp"
#include "uplift/fit/dataset.hpp"
#include "uplift/predict/op/op_family.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace uplift::fit {

enum class FitBasis { kDatasheet, kPublished };

struct FitOptions {
  std::size_t rows_per_card = 500;
  double scale_prior = 0.3;     ///< sd of ln of a ceiling's scale among cards
  double overhead_prior = 0.3;  ///< sd of ln of the overhead among cards
  bool overhead = true;         ///< calls were timed with their launch
};

struct FamilyFit {
  std::vector<double> constants;            ///< in the order of OpFamily::parameters()
  std::map<std::size_t, CardScales> cards;  ///< of the cards fitted on
  CardScales mean;                          ///< what an unseen card is taken to have
  CardScales spread;                        ///< sd over cards; overhead as sd of its ln
  double sigma = 0;                         ///< sd of ln residuals
};

/// Fits on the samples of `cards`; others are not looked at.
[[nodiscard]] FamilyFit fit_family(const predict::OpFamily& family, const Dataset& data,
                                   std::span<const std::size_t> cards, FitBasis basis,
                                   const FitOptions& options);

/// Seconds of `op` with the fit's constants on `card` with `scales`.
[[nodiscard]] double predict_seconds(const predict::OpFamily& family, const FamilyFit& fit,
                                     const Op& op, const predict::OpCard& card,
                                     const CardScales& scales);

/// The scales of one card from a few timed operations on it, starting from what the fit expects.
[[nodiscard]] CardScales fit_scales(const predict::OpFamily& family, const FamilyFit& fit,
                                    std::span<const Sample> timed, const CardByMath& card,
                                    const FitOptions& options);

[[nodiscard]] inline const CardByMath& on_basis(const FitCard& card, FitBasis basis) {
  return basis == FitBasis::kPublished ? card.published : card.datasheet;
}

}  // namespace uplift::fit
