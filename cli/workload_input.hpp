// SPDX-License-Identifier: Apache-2.0
// What commands that read a recording share: the WORKLOAD and --from options, the checks before it
// is read, and the reading.
#pragma once

#include "cli/command.hpp"
#include "uplift/catalog/catalog.hpp"
#include "uplift/core/result.hpp"
#include "uplift/core/tool_info.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/decide/card_profiles.hpp"
#include "uplift/model/basis.hpp"
#include "uplift/model/parameters.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace uplift::cli {

struct WorkloadOptions {
  std::string workload;
  std::string from;  ///< empty: the card that the recording names
  std::vector<std::string> gpu_files;
  model::Basis basis = model::Basis::kMeasured;  ///< the most to use
  std::vector<std::string> profiles;

  [[nodiscard]] std::optional<std::string> source() const {
    return from.empty() ? std::nullopt : std::optional(from);
  }
};

/// Declares WORKLOAD; the others come after a command's own, for the order of its help.
void declare_workload(CLI::App& app, WorkloadOptions& options);
void declare_from(CLI::App& app, WorkloadOptions& options);

/// What a command needs to answer about a recording.
struct WorkloadInput {
  catalog::Catalog catalog;
  model::Parameters parameters;
  std::vector<decide::CardProfile> profiles;
  Workload workload;
};

/// Names first, the file after: an unknown card among `cards` or in --from, or an `-o` that names
/// an input, is told before a large recording is read.
[[nodiscard]] Result<WorkloadInput> load_input(const WorkloadOptions& options,
                                               const std::vector<std::string>& cards,
                                               Console& console);

/// The answer must not take the place of a file that it is made from.
[[nodiscard]] Result<void> check_output_apart(const std::vector<std::string>& inputs,
                                              const Console& console);

/// The `tool` object of an answer that the model had part in.
[[nodiscard]] ToolInfo tool_info(const catalog::Catalog& catalog,
                                 const model::Parameters& parameters, const Console& console);
[[nodiscard]] ToolInfo tool_info(const WorkloadInput& input, const Console& console);

}  // namespace uplift::cli
