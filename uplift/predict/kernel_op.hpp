// SPDX-License-Identifier: Apache-2.0
// A recorded kernel as an operation of an op table, where its class and shape tell which.
#pragma once

#include "uplift/core/op.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/predict/op/card_scales.hpp"

#include <optional>
#include <vector>

namespace uplift::predict {

/// Matrix products, convolutions and attention of known shape; empty for all else, whose time on
/// the source says more than a formula for its class.
[[nodiscard]] std::optional<Op> as_op(const DistinctKernel& kernel);

/// Every kernel that is an operation, with its mean time.
[[nodiscard]] std::vector<TimedOp> timed_ops(const Workload& workload);

}  // namespace uplift::predict
