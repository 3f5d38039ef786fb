// SPDX-License-Identifier: Apache-2.0
// Puts a Workload together from linked records: distinct kernels with their shapes, copies, and the
// order of the representative step.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/read/byte_source.hpp"

#include <string>

namespace uplift::read {

/// Reads a PyTorch profiler trace on up to `threads` threads; the answer does not depend on their
/// number. `path` is for error lines only. A trace that breaks off gives what it holds, with a
/// warning. Errors: not a trace, no GPU kernels, kernels of an AMD GPU.
[[nodiscard]] Result<Workload> read_kineto(ByteSource& source, const std::string& path,
                                           unsigned threads = 1);

}  // namespace uplift::read
