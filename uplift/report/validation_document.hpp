// SPDX-License-Identifier: Apache-2.0
// The answer of `validate` for people and as CSV.
#pragma once

#include "uplift/core/validation.hpp"
#include "uplift/report/document.hpp"

namespace uplift::report {

/// `pairs`: every card and every pair of cards too, beside what simple ratios say.
[[nodiscard]] Document validation_document(const Validation& validation, bool pairs);

}  // namespace uplift::report
