// SPDX-License-Identifier: Apache-2.0
// One GPU file in, one board out. The format is written up in docs/gpu_files.md; which numbers it
// may hold is the table in core/gpu_fields.hpp.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/result.hpp"

#include <filesystem>
#include <string_view>

namespace uplift::catalog {

/// The board that `text` describes; `file` is only named in errors.
[[nodiscard]] Result<Gpu> parse_gpu_file(std::string_view text, std::string_view file);

/// Reads and parses a user's file; at most 1 MiB.
[[nodiscard]] Result<Gpu> load_gpu_file(const std::filesystem::path& path);

}  // namespace uplift::catalog
