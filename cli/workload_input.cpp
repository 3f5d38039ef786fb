// SPDX-License-Identifier: Apache-2.0
#include "cli/workload_input.hpp"

#include "cli/answer.hpp"
#include "cli/catalog_options.hpp"
#include "cli/profile_options.hpp"
#include "uplift/read/load_workload.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

namespace uplift::cli {
namespace {

[[nodiscard]] Result<void> check_names(const WorkloadOptions& options,
                                       const std::vector<std::string>& cards,
                                       const catalog::Catalog& catalog) {
  for (const std::string& name : cards) {
    if (auto found = resolve_typed(catalog, name); !found) return failure(found.error());
  }
  if (!options.from.empty()) {
    if (auto found = resolve_typed(catalog, options.from); !found) return failure(found.error());
  }
  return {};
}

[[nodiscard]] Result<void> check_output(const WorkloadOptions& options, const Console& console) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  std::vector<std::string> inputs = options.gpu_files;
  inputs.insert(inputs.end(), options.profiles.begin(), options.profiles.end());
  inputs.push_back(options.workload);
  if (fs::is_directory(options.workload, ignored)) {
    for (fs::directory_iterator entry(options.workload, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
      inputs.push_back(entry->path().string());
    }
  }
  return check_output_apart(inputs, console);
}

}  // namespace

Result<void> check_output_apart(const std::vector<std::string>& inputs, const Console& console) {
  namespace fs = std::filesystem;
  const fs::path output = console.options.output;
  std::error_code ignored;
  if (output.empty() || !fs::exists(output, ignored)) return {};
  for (const std::string& input : inputs) {
    std::error_code unknown;
    if (fs::equivalent(output, input, unknown)) {
      return failure(ErrorKind::kUsage, console.options.output, "is an input of this command",
                     "name another file with -o");
    }
  }
  return {};
}

void declare_workload(CLI::App& app, WorkloadOptions& options) {
  app.add_option("WORKLOAD", options.workload,
                 "a PyTorch profiler trace (.json, .json.gz, .json.zst), or a folder with one")
      ->required()
      ->type_name("");
}

void declare_from(CLI::App& app, WorkloadOptions& options) {
  app.add_option("--from", options.from,
                 "the card of the recording; by default the one that it names")
      ->type_name("GPU");
}

Result<WorkloadInput> load_input(const WorkloadOptions& options,
                                 const std::vector<std::string>& cards, Console& console) {
  if (auto apart = check_output(options, console); !apart) return failure(apart.error());
  auto catalog = load_catalog(options.gpu_files);
  if (!catalog) return failure(catalog.error());
  if (auto known = check_names(options, cards, *catalog); !known) return failure(known.error());
  auto parameters = model::load_parameters();
  if (!parameters) return failure(parameters.error());
  auto profiles = load_profiles(options.profiles, options.basis, *catalog, console);
  if (!profiles) return failure(profiles.error());
  if (auto opened = console.open_output(); !opened) return failure(opened.error());

  const auto start = std::chrono::steady_clock::now();
  auto workload =
      read::load_workload(options.workload, [&](std::uint64_t done, std::uint64_t total) {
        console.show_progress("uplift: reading", done, total);
      });
  console.clear_progress();
  if (!workload) return failure(workload.error());
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  console.explain(fmt::format("read {} kernel launches of {} distinct kernels in {:.2f} s",
                              workload->kernel_launches, workload->kernels.size(), spent.count()));
  return WorkloadInput{std::move(*catalog), std::move(*parameters), std::move(*profiles),
                       std::move(*workload)};
}

ToolInfo tool_info(const catalog::Catalog& catalog, const model::Parameters& parameters,
                   const Console& console) {
  ToolInfo tool = tool_info(catalog, console);
  tool.model = parameters.version;
  tool.parameters_sha256 = model::parameters_sha256();
  return tool;
}

ToolInfo tool_info(const WorkloadInput& input, const Console& console) {
  return tool_info(input.catalog, input.parameters, console);
}

}  // namespace uplift::cli
