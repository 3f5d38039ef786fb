// SPDX-License-Identifier: Apache-2.0
// What commands that name GPUs share: --gpu-file, the user's GPU folder, and the catalog they make.
#pragma once

#include "cli/command.hpp"
#include "uplift/catalog/catalog.hpp"
#include "uplift/core/result.hpp"
#include "uplift/report/gpu_comparison.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace uplift::cli {

/// Declares `--gpu-file FILE` (repeatable) into `files`.
void declare_gpu_files(CLI::App& app, std::vector<std::string>& files);

/// $XDG_DATA_HOME/uplift/gpus, by default ~/.local/share/uplift/gpus; empty without a home.
[[nodiscard]] std::filesystem::path user_gpu_folder();

/// The boards in the binary, those of user_gpu_folder() and those of --gpu-file.
[[nodiscard]] Result<catalog::Catalog> load_catalog(const std::vector<std::string>& files);

/// `name` as typed by the user; every failure is wrong usage.
[[nodiscard]] Result<catalog::Resolution> resolve_typed(const catalog::Catalog& catalog,
                                                        const std::string& name);

/// `name` as a board of the catalog, with its formats; the note of a near match is warned about.
[[nodiscard]] Result<report::BoardView> resolve_board(const catalog::Catalog& catalog,
                                                      const std::string& name,
                                                      const Console& console);

}  // namespace uplift::cli
