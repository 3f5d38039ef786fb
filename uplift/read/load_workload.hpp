// SPDX-License-Identifier: Apache-2.0
// A path in, a Workload out. What a file is, is found from its content, never from its name.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/core/workload.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace uplift::read {

/// Bytes of the file taken so far, and of the whole file; 0 if that is not known (a pipe).
using ReadProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Reads the recording at `path`: a file, or a directory that holds exactly one recording.
/// `progress` may be empty. Errors name the file and what to do.
[[nodiscard]] Result<Workload> load_workload(const std::string& path,
                                             const ReadProgress& progress = {});

}  // namespace uplift::read
