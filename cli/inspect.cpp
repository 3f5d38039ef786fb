// SPDX-License-Identifier: Apache-2.0
// `uplift inspect WORKLOAD`: what is in a recording, and what to change in the program.
#include "uplift/decide/inspect.hpp"

#include "cli/answer.hpp"
#include "cli/catalog_options.hpp"
#include "cli/command.hpp"
#include "cli/profile_options.hpp"
#include "cli/workload_input.hpp"
#include "uplift/report/inspection_document.hpp"
#include "uplift/report/inspection_json.hpp"

#include <memory>

namespace uplift::cli {
namespace {

struct Options : WorkloadOptions {
  std::size_t kernels = 10;
};

Result<void> run(const Options& options, Console& console) {
  auto input = load_input(options, {}, console);
  if (!input) return failure(input.error());
  decide::InspectRequest request;
  request.from = options.source();
  request.basis = options.basis;
  request.profiles = input->profiles;
  request.path = options.workload;
  auto inspection = decide::inspect(input->workload, request, input->catalog, input->parameters);
  if (!inspection) return failure(inspection.error());
  for (const Warning& warning : inspection->workload.warnings) console.warn(warning);
  warn_of_unused(input->profiles, {inspection->source.gpu.value_or("")}, console);

  inspection->tool = tool_info(*input, console);
  if (console.options.format == Format::kJson) {
    return console.write_answer(report::inspection_json(*inspection));
  }
  const report::Document document = console.options.format == Format::kCsv
                                        ? report::inspection_kernels_document(*inspection)
                                        : report::inspection_document(*inspection, options.kernels);
  return console.write_answer(render_document(document, console));
}

}  // namespace

Action declare_inspect(CLI::App& app) {
  auto options = std::make_shared<Options>();
  declare_workload(app, *options);
  declare_from(app, *options);
  declare_basis(app, options->basis);
  declare_profiles(app, options->profiles);
  app.add_option("--kernels", options->kernels, "rows of the kernel table; 0 for none (default 10)")
      ->check(CLI::Range(0, 1'000'000))
      ->type_name("N");
  declare_gpu_files(app, options->gpu_files);
  app.footer("Example: uplift inspect trace.json.gz");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace uplift::cli
