// SPDX-License-Identifier: Apache-2.0
// What a recording lacks and how to make a better one.
#pragma once

#include "uplift/core/inspection.hpp"
#include "uplift/core/workload.hpp"

#include <vector>

namespace uplift::decide {

/// What costs the answer most comes first.
[[nodiscard]] std::vector<Missing> find_missing(const Workload& workload);

}  // namespace uplift::decide
