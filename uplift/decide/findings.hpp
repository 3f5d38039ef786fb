// SPDX-License-Identifier: Apache-2.0
// What costs time in every step and can be changed in the program, with what it is worth.
#pragma once

#include "uplift/core/inspection.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/predict/card.hpp"

#include <vector>

namespace uplift::decide {

/// A finding is told if it saves at least this share of the step; a smaller one, if it could save
/// that much.
inline constexpr double kLeastSaving = 0.005;
inline constexpr double kLeastWithHope = 0.002;
inline constexpr double kLeastHope = 0.05;

/// By falling predicted saving. `card` may be null: then nothing is said of formats.
[[nodiscard]] std::vector<Finding> find_savings(const Workload& workload,
                                                const StepTimeline& timeline,
                                                const predict::Card* card,
                                                const predict::Parameters& parameters);

}  // namespace uplift::decide
