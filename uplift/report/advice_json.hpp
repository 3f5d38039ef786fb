// SPDX-License-Identifier: Apache-2.0
// The answer of `advise` for programs: schema uplift.advise/1 (docs/schema/advise.schema.json).
#pragma once

#include "uplift/core/advice.hpp"

#include <string>

namespace uplift::report {

[[nodiscard]] std::string advice_json(const Advice& advice);

}  // namespace uplift::report
