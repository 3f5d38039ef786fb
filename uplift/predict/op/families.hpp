// SPDX-License-Identifier: Apache-2.0
// The list of all formulas for single operations, and which of them an operation belongs to.
#pragma once

#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/op/op_family.hpp"

#include <span>

namespace uplift::predict {

/// In the order in which tables print them.
[[nodiscard]] std::span<const OpFamily* const> op_families();

/// The family of an operation as it runs on a card; nullptr: none has a formula for it.
[[nodiscard]] const OpFamily* family_of(const Op& op);

/// The operation in the format in which libraries run it on the card (docs/method.md, section 3.1):
/// BF16 on a card without it runs in FP32; FP64 products run on tensor cores that have FP64.
[[nodiscard]] Op as_run(Op op, const model::GpuModel& card);

}  // namespace uplift::predict
