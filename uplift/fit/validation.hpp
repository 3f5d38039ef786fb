// SPDX-License-Identifier: Apache-2.0
// How far predictions are off on cards that no constant has seen, beside what simple ratios say.
#pragma once

#include "uplift/core/validation.hpp"
#include "uplift/fit/family_study.hpp"

#include <string>
#include <vector>

namespace uplift::fit {

struct ValidationOptions {
  StudyOptions study;
  std::size_t rows = 2000;  ///< a card or pair, at most
};

/// Each card of `data` predicted by constants that had not seen it: those of `shipped` if they were
/// fitted without it, else (and without `shipped`) constants fitted on the other cards of `data`.
/// `notes`: cards that could not be scored.
[[nodiscard]] std::vector<ErrorRow> validate_family(const predict::OpFamily& family,
                                                    const Dataset& data,
                                                    const predict::FamilyKnowledge* shipped,
                                                    const ValidationOptions& options,
                                                    std::vector<std::string>& notes);

/// One summary for each family, basis and kind of evidence that `rows` hold.
[[nodiscard]] std::vector<ErrorSummary> summarise(const std::vector<ErrorRow>& rows);

}  // namespace uplift::fit
