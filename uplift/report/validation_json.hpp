// SPDX-License-Identifier: Apache-2.0
// The answer of `validate` for programs: schema uplift.validate/1
// (docs/schema/validate.schema.json).
#pragma once

#include "uplift/core/validation.hpp"

#include <string>

namespace uplift::report {

[[nodiscard]] std::string validation_json(const Validation& validation, const ToolInfo& tool);

}  // namespace uplift::report
