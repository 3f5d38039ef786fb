// SPDX-License-Identifier: Apache-2.0
// The answer of `inspect` for people: how much any GPU could change, where the step goes, what to
// change in the program, then the tables behind it.
#pragma once

#include "uplift/core/inspection.hpp"
#include "uplift/report/document.hpp"

namespace uplift::report {

/// `kernel_rows` rows of the kernel table; 0 leaves it out.
[[nodiscard]] Document inspection_document(const Inspection& inspection, std::size_t kernel_rows);

/// One table with every distinct kernel: the answer of `--format csv`.
[[nodiscard]] Document inspection_kernels_document(const Inspection& inspection);

}  // namespace uplift::report
