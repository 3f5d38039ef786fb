// SPDX-License-Identifier: Apache-2.0
// Everything that predictions of one family need, learnt from the timings of some cards.
#pragma once

#include "uplift/fit/family_fit.hpp"
#include "uplift/predict/op/family_predictor.hpp"
#include "uplift/predict/op/op_constants.hpp"

#include <optional>
#include <span>
#include <vector>

namespace uplift::fit {

struct StudyOptions {
  FitOptions fit;
  std::size_t timed = 12;  ///< operations timed on a card for `measured`
  bool intervals = true;   ///< calibrate them, which takes one more fit a card
  /// What calls on a predicted card pay besides their kernel, s; empty: as on the fit's cards.
  std::optional<double> overhead;
};

/// One operation predicted on a card that the fit had not seen.
struct Prediction {
  std::size_t target = 0;  ///< card
  std::size_t source = 0;  ///< card whose time of the same operation was used; target: none
  const Sample* sample = nullptr;
  double seconds = 0, log_half_width = 0, log_deviation = 0;
};

/// Learns from the samples of `cards` alone.
[[nodiscard]] predict::FamilyKnowledge study_family(const predict::OpFamily& family,
                                                    const Dataset& data,
                                                    std::span<const std::size_t> cards,
                                                    const StudyOptions& options);

/// Predicts at most `rows` of the operations of `target` by what was learnt without it. `sources`:
/// cards whose time of the same operation is used, each giving predictions of its own; none: from
/// the shape alone. Operations that count as timed on the target are left out.
[[nodiscard]] std::vector<Prediction> predict_card(const predict::OpFamily& family,
                                                   const predict::FamilyKnowledge& learnt,
                                                   const Dataset& data, std::size_t target,
                                                   std::span<const std::size_t> sources,
                                                   predict::Knowledge knowledge, std::size_t rows,
                                                   const StudyOptions& options);

}  // namespace uplift::fit
