// SPDX-License-Identifier: Apache-2.0
// Puts a Workload together from linked records: distinct kernels with their shapes, copies, and the
// order of the representative step.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/read/byte_source.hpp"
#include "uplift/read/trace/kineto_records.hpp"

#include <string>

namespace uplift::read {

/// Reads a PyTorch profiler trace. `path` is for error lines only. Errors: not a trace, cut off, no
/// GPU kernels, kernels of an AMD GPU.
[[nodiscard]] Result<Workload> read_kineto(ByteSource& source, const std::string& path);

}  // namespace uplift::read
