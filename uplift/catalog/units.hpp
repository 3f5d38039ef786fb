// SPDX-License-Identifier: Apache-2.0
// Words about units for error lines; the units themselves are in core/unit_kind.hpp.
#pragma once

#include "uplift/core/unit_kind.hpp"

#include <string>

namespace uplift::catalog {

/// The units of a kind, for an error line: `MB, MiB, GB or GiB`.
[[nodiscard]] std::string unit_choices(UnitKind kind);

}  // namespace uplift::catalog
