// SPDX-License-Identifier: Apache-2.0
// A path in, a Workload out. What a file is, is found from its content, never from its name.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/core/workload.hpp"

#include <string>

namespace uplift::read {

/// Reads the recording at `path`: a file, or a directory that holds exactly one recording. Errors
/// name the file and what to do.
[[nodiscard]] Result<Workload> load_workload(const std::string& path);

}  // namespace uplift::read
