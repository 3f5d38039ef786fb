// SPDX-License-Identifier: Apache-2.0
// The list of all formulas for single operations, and which of them an operation belongs to.
#pragma once

#include "uplift/predict/op/op_family.hpp"

#include <span>

namespace uplift::predict {

/// In the order in which tables print them.
[[nodiscard]] std::span<const OpFamily* const> op_families();

/// The family of an operation as it runs on a card; nullptr: none has a formula for it.
[[nodiscard]] const OpFamily* family_of(const Op& op);

}  // namespace uplift::predict
