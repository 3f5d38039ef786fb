// SPDX-License-Identifier: Apache-2.0
// The tables of an inspection, one function each. They compute nothing but percentages.
#pragma once

#include "uplift/core/inspection.hpp"
#include "uplift/report/document.hpp"

#include <string>
#include <vector>

namespace uplift::report {

[[nodiscard]] Table step_table(const Inspection& inspection);
[[nodiscard]] Table finding_table(const Inspection& inspection);
[[nodiscard]] Table class_table(const Inspection& inspection);
[[nodiscard]] Table copy_table(const Inspection& inspection);
[[nodiscard]] Table stretch_table(const Inspection& inspection);
[[nodiscard]] Table gpu_table(const Inspection& inspection);
/// The first `rows` kernels.
[[nodiscard]] Table kernel_table(const Inspection& inspection, std::size_t rows);
/// Places that hold at least a fiftieth of the kernel time, at most `rows`, nested ones indented;
/// what is under none of them in any case. A footnote tells what is left out.
[[nodiscard]] Table place_table(const Inspection& inspection, const std::vector<PlaceTime>& places,
                                const std::string& title, std::size_t rows);

}  // namespace uplift::report
