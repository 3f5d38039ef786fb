// SPDX-License-Identifier: Apache-2.0
// `uplift advise WORKLOAD --to GPU[,GPU…]`: what would another card do for this job.
#include "uplift/decide/advise.hpp"

#include "cli/answer.hpp"
#include "cli/catalog_options.hpp"
#include "cli/command.hpp"
#include "uplift/model/parameters.hpp"
#include "uplift/read/load_workload.hpp"
#include "uplift/report/advice_document.hpp"
#include "uplift/report/advice_json.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

namespace uplift::cli {
namespace {

struct Options {
  std::string workload;
  std::vector<std::string> to;
  std::string from;
  std::string basis = "published";
  std::vector<std::string> gpu_files;
  std::size_t kernels = 8;
  bool brief = false;
};

/// Unknown cards are told before a large recording is read.
[[nodiscard]] Result<void> check_names(const Options& options, const catalog::Catalog& catalog) {
  for (const std::string& name : options.to) {
    if (auto found = resolve_typed(catalog, name); !found) return failure(found.error());
  }
  if (!options.from.empty()) {
    if (auto found = resolve_typed(catalog, options.from); !found) return failure(found.error());
  }
  return {};
}

/// The answer must not take the place of something that it is made from.
[[nodiscard]] Result<void> check_output(const Options& options, const Console& console) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path output = console.options.output;
  if (output.empty() || !fs::exists(output, ignored)) return {};
  std::vector<std::string> inputs = options.gpu_files;
  inputs.push_back(options.workload);
  if (fs::is_directory(options.workload, ignored)) {
    for (fs::directory_iterator entry(options.workload, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
      inputs.push_back(entry->path().string());
    }
  }
  for (const std::string& input : inputs) {
    std::error_code unknown;
    if (fs::equivalent(output, input, unknown)) {
      return failure(ErrorKind::kUsage, console.options.output, "is an input of this command",
                     "name another file with -o");
    }
  }
  return {};
}

Result<void> run(const Options& options, Console& console) {
  if (auto apart = check_output(options, console); !apart) return apart;
  auto catalog = load_catalog(options.gpu_files);
  if (!catalog) return failure(catalog.error());
  if (auto known = check_names(options, *catalog); !known) return known;
  auto parameters = model::load_parameters();
  if (!parameters) return failure(parameters.error());
  if (auto opened = console.open_output(); !opened) return opened;

  const auto start = std::chrono::steady_clock::now();
  auto workload = read::load_workload(options.workload);
  if (!workload) return failure(workload.error());
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  console.explain(fmt::format("read {} kernel launches of {} distinct kernels in {:.2f} s",
                              workload->kernel_launches, workload->kernels.size(), spent.count()));
  decide::AdviseRequest request;
  if (!options.from.empty()) request.from = options.from;
  request.to = options.to;
  request.basis =
      options.basis == "datasheet" ? model::Basis::kDatasheet : model::Basis::kPublished;
  request.path = options.workload;
  auto advice = decide::advise(*workload, request, *catalog, *parameters);
  if (!advice) return failure(advice.error());
  for (const Warning& warning : advice->workload.warnings) console.warn(warning);
  for (const TargetAdvice& target : advice->targets) {
    console.explain(fmt::format("{} on the {} basis; dimensions:", target.gpu, target.basis));
    for (const DimensionFactor& factor : target.dimensions) {
      console.explain(fmt::format("  {}: {}", word(factor.dimension), factor.note));
    }
  }

  advice->tool = tool_info(*catalog, console);
  advice->tool.model = parameters->version;
  advice->tool.parameters_sha256 = model::parameters_sha256();
  if (console.options.format == Format::kJson) {
    return console.write_answer(report::advice_json(*advice));
  }
  const report::Document document =
      console.options.format == Format::kCsv ? report::advice_kernels_document(*advice)
      : options.brief                        ? report::advice_brief_document(*advice)
                                             : report::advice_document(*advice, options.kernels);
  return console.write_answer(render_document(document, console));
}

}  // namespace

Action declare_advise(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("WORKLOAD", options->workload,
                 "a PyTorch profiler trace (.json, .json.gz, .json.zst), or a folder with one")
      ->required()
      ->type_name("");
  app.add_option("--to", options->to, "the cards to predict, by name; `uplift gpus` lists them")
      ->required()
      ->delimiter(',')
      ->type_name("GPU[,GPU…]");
  app.add_option("--from", options->from,
                 "the card of the recording; by default the one that it names")
      ->type_name("GPU");
  app.add_option("--basis", options->basis,
                 "what is known of the cards' sustained rates: published (default) or datasheet")
      ->check(CLI::IsMember({"published", "datasheet"}))
      ->type_name("BASIS");
  app.add_option("--kernels", options->kernels, "rows of the kernel table; 0 for none (default 8)")
      ->check(CLI::Range(0, 1'000'000))
      ->type_name("N");
  app.add_flag("--brief", options->brief, "the verdicts alone, in a few lines");
  declare_gpu_files(app, options->gpu_files);
  app.footer("Example: uplift advise trace.json.gz --to h100-sxm5-80gb,b200-sxm");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace uplift::cli
