// SPDX-License-Identifier: Apache-2.0
// All that a fit learnt about one family of operations: the constants of its formula, how cards
// differ from their catalog numbers, how deviations from the formula hang together, and how wide an
// interval must be. tools/calibrate writes it to data/model/operations.toml.
#pragma once

#include "uplift/predict/op/card_scales.hpp"
#include "uplift/predict/op/residual_field.hpp"
#include "uplift/predict/op/source_carry.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace uplift::predict {

/// What is known of the card that is predicted.
enum class Knowledge : std::uint8_t {
  kDatasheet,  ///< peaks
  kPublished,  ///< sustained figures of others
  kMeasured,   ///< those, and a few operations timed on it
};

inline constexpr std::array kKnowledges = {Knowledge::kDatasheet, Knowledge::kPublished,
                                           Knowledge::kMeasured};

[[nodiscard]] constexpr std::string_view word(Knowledge knowledge) {
  constexpr std::array<std::string_view, 3> kWords = {"datasheet", "published", "measured"};
  return kWords[static_cast<std::size_t>(knowledge)];
}

struct FamilyKnowledge {
  std::vector<double> constants;  ///< in the order of OpFamily::parameters()
  /// By Knowledge; that of `measured` is where its timed operations start from.
  std::array<CardScales, 3> mean{};
  std::array<ScaleSpread, 3> spread{};
  std::array<FieldConstants, 3> field{};
  CarryConstants carry;
  /// By Knowledge: a 90 % interval is this many of the predicted standard deviations to each side.
  std::array<double, 3> interval = {1.64, 1.64, 1.64};
  double noise = 0.1;                  ///< sd of ln time about the formula
  std::vector<std::string> fitted_on;  ///< cards whose timings the fit saw
};

}  // namespace uplift::predict
