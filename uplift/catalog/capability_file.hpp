// SPDX-License-Identifier: Apache-2.0
// data/compute_capabilities.toml in, formats per compute capability out.
#pragma once

#include "uplift/core/format_support.hpp"
#include "uplift/core/result.hpp"

#include <string_view>
#include <vector>

namespace uplift::catalog {

[[nodiscard]] Result<std::vector<CapabilityFormats>> parse_capability_file(std::string_view text,
                                                                           std::string_view file);

}  // namespace uplift::catalog
