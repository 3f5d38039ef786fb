// SPDX-License-Identifier: Apache-2.0
// The units that a GPU file may write a number in, by what the number measures.
#pragma once

#include "uplift/core/unit_kind.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace uplift::catalog {

/// How many SI base units one `unit` is; nothing when the unit does not measure `kind`.
/// GB is 10^9 bytes and GiB is 2^30.
[[nodiscard]] std::optional<double> unit_factor(std::string_view unit, UnitKind kind);

/// The units of a kind, for an error line: `MB, MiB, GB or GiB`.
[[nodiscard]] std::string unit_choices(UnitKind kind);

}  // namespace uplift::catalog
