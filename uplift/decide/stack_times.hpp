// SPDX-License-Identifier: Apache-2.0
// Kernel time by place in the program: under modules or annotations of the call stacks, and under
// operators.
#pragma once

#include "uplift/core/inspection.hpp"
#include "uplift/core/workload.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace uplift::decide {

/// The frames of `kind` as a tree in preorder, siblings by falling time; frames of other kinds
/// between them are passed through. Per step. Kernels under none of them come last, with no name.
[[nodiscard]] std::vector<PlaceTime> stack_times(const Workload& workload, FrameKind kind);

/// Kernels by the class of the innermost module (`Linear` of `Linear_13`), by falling time; those
/// under none are under "", and there are none at all where no modules are recorded.
[[nodiscard]] std::vector<PlaceTime> module_type_times(const Workload& workload);

/// Kernels by the operator that launched them, by falling time; without one they are under "".
[[nodiscard]] std::vector<PlaceTime> op_times(const Workload& workload);

/// `Net_0 / Linear_1 / aten::linear`: where in the program, the three innermost modules and
/// annotations and the operator called there; empty if it is not recorded.
[[nodiscard]] std::string place_of(const Workload& workload, std::int32_t frame);

}  // namespace uplift::decide
