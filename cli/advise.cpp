// SPDX-License-Identifier: Apache-2.0
// `uplift advise WORKLOAD --to GPU[,GPU…]`: what would another card do for this job.
#include "uplift/decide/advise.hpp"

#include "cli/answer.hpp"
#include "cli/catalog_options.hpp"
#include "cli/command.hpp"
#include "cli/profile_options.hpp"
#include "cli/workload_input.hpp"
#include "uplift/report/advice_document.hpp"
#include "uplift/report/advice_json.hpp"

#include <fmt/format.h>

#include <memory>

namespace uplift::cli {
namespace {

struct Options : WorkloadOptions {
  std::vector<std::string> to;
  std::size_t kernels = 8;
  bool brief = false;
};

Result<void> run(const Options& options, Console& console) {
  auto input = load_input(options, options.to, console);
  if (!input) return failure(input.error());
  decide::AdviseRequest request;
  request.from = options.source();
  request.to = options.to;
  request.basis = options.basis;
  request.profiles = input->profiles;
  request.path = options.workload;
  auto advice = decide::advise(input->workload, request, input->catalog, input->parameters);
  if (!advice) return failure(advice.error());
  for (const Warning& warning : advice->workload.warnings) console.warn(warning);
  std::vector<std::string> used = {advice->source.gpu.value_or("")};
  for (const TargetAdvice& target : advice->targets) used.push_back(target.gpu);
  warn_of_unused(input->profiles, used, console);
  for (const TargetAdvice& target : advice->targets) {
    console.explain(fmt::format("{} on the {} basis; dimensions:", target.gpu, target.basis));
    for (const DimensionFactor& factor : target.dimensions) {
      console.explain(fmt::format("  {}: {}", word(factor.dimension), factor.note));
    }
  }

  advice->tool = tool_info(*input, console);
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
  declare_workload(app, *options);
  app.add_option("--to", options->to, "the cards to predict, by name; `uplift gpus` lists them")
      ->required()
      ->delimiter(',')
      ->type_name("GPU[,GPU…]");
  declare_from(app, *options);
  declare_basis(app, options->basis);
  declare_profiles(app, options->profiles);
  app.add_option("--kernels", options->kernels, "rows of the kernel table; 0 for none (default 8)")
      ->check(CLI::Range(0, 1'000'000))
      ->type_name("N");
  app.add_flag("--brief", options->brief, "the verdicts alone, in a few lines");
  declare_gpu_files(app, options->gpu_files);
  app.footer("Example: uplift advise trace.json.gz --to h100-sxm5-80gb,b200-sxm");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace uplift::cli
