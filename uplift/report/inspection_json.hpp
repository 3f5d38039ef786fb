// SPDX-License-Identifier: Apache-2.0
// The answer of `inspect` for programs: schema uplift.inspect/1
// (docs/schema/inspect.schema.json).
#pragma once

#include "uplift/core/inspection.hpp"

#include <string>

namespace uplift::report {

[[nodiscard]] std::string inspection_json(const Inspection& inspection);

}  // namespace uplift::report
