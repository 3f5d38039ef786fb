// SPDX-License-Identifier: Apache-2.0
// The answer of `advise` for people: the verdict per card first, then what bounds the step, where
// the speedup comes from, and the kernels.
#pragma once

#include "uplift/core/advice.hpp"
#include "uplift/report/document.hpp"

namespace uplift::report {

/// `kernel_rows` rows of the kernel table; 0 leaves it out.
[[nodiscard]] Document advice_document(const Advice& advice, std::size_t kernel_rows);

/// Opening and verdicts only: a few lines.
[[nodiscard]] Document advice_brief_document(const Advice& advice);

/// One table with every distinct kernel and target: the answer of `--format csv`.
[[nodiscard]] Document advice_kernels_document(const Advice& advice);

}  // namespace uplift::report
