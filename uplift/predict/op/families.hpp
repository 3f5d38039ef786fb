// SPDX-License-Identifier: Apache-2.0
// The list of all formulas for single operations.
#pragma once

#include "uplift/predict/op/op_family.hpp"

#include <span>

namespace uplift::predict {

/// In the order in which tables print them.
[[nodiscard]] std::span<const OpFamily* const> op_families();

}  // namespace uplift::predict
