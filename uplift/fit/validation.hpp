// SPDX-License-Identifier: Apache-2.0
// How far predictions are off on cards that no constant has seen, beside what simple ratios say.
#pragma once

#include "uplift/fit/family_study.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace uplift::fit {

/// Relative errors |predicted / measured - 1| of the predictions of one card.
struct ErrorStatistics {
  std::size_t n = 0;
  double mean = 0, median = 0, p90 = 0, worst = 0;
  double bias = 0;      ///< geometric mean of predicted over measured, minus 1
  double coverage = 0;  ///< share inside the 90 % interval
  double width = 0;     ///< median of high over low
};

/// Mean errors of ratios that need no model; 0 where there is no source time.
struct RivalErrors {
  double constant = 0;   ///< the pair's own median ratio, which nobody knows beforehand
  double bandwidth = 0;  ///< DRAM bandwidth
  double peak = 0;       ///< arithmetic in the operation's format
  double roofline = 0;   ///< the larger of FLOPs over peak and bytes over bandwidth
};

struct ErrorRow {
  std::string target;
  std::string source;  ///< empty: predicted from the shape alone
  predict::Knowledge knowledge = predict::Knowledge::kDatasheet;
  ErrorStatistics errors;
  RivalErrors rivals;
};

struct FamilyValidation {
  std::vector<ErrorRow> rows;
  /// By Knowledge, from the shape and from the source: means over the rows.
  std::array<predict::FamilyAccuracy, 3> from_shape{}, from_source{};
};

struct ValidationOptions {
  StudyOptions study;
  std::size_t rows = 2000;  ///< a card or pair, at most
};

/// Each card of `data` predicted by constants fitted on the others. Fewer than two cards with
/// timings: no rows.
[[nodiscard]] FamilyValidation validate_family(const predict::OpFamily& family, const Dataset& data,
                                               const ValidationOptions& options);

/// The same for cards that `shipped` was fitted without: no fit is made.
[[nodiscard]] FamilyValidation validate_shipped(const predict::OpFamily& family,
                                                const Dataset& data,
                                                const predict::FamilyKnowledge& shipped,
                                                const ValidationOptions& options);

}  // namespace uplift::fit
