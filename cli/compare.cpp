// SPDX-License-Identifier: Apache-2.0
// `uplift compare GPU GPU…`: boards side by side, a table for a ticket.
#include "cli/answer.hpp"
#include "cli/catalog_options.hpp"
#include "cli/command.hpp"
#include "uplift/report/gpu_document.hpp"
#include "uplift/report/gpu_json.hpp"

#include <memory>

namespace uplift::cli {
namespace {

struct Options {
  std::vector<std::string> gpus;
  std::vector<std::string> gpu_files;
};

Result<void> run(const Options& options, Console& console) {
  if (options.gpus.size() < 2) {
    return failure(ErrorKind::kUsage, "", "compare needs two GPUs or more",
                   "for one alone: uplift gpus GPU");
  }
  auto catalog = load_catalog(options.gpu_files);
  if (!catalog) return failure(catalog.error());
  std::vector<report::BoardView> boards;
  for (const std::string& name : options.gpus) {
    auto board = resolve_board(*catalog, name, console);
    if (!board) return failure(board.error());
    boards.push_back(*board);
  }
  if (console.options.format == Format::kJson) {
    return console.write_answer(report::compare_json(boards, tool_info(*catalog, console)));
  }
  return console.write_answer(render_document(report::compare_document(boards), console));
}

}  // namespace

Action declare_compare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("GPU", options->gpus, "the first is what the others are measured against")
      ->type_name("")
      ->required();
  declare_gpu_files(app, options->gpu_files);
  app.footer("Example: uplift compare v100-sxm2-32gb a100-sxm4-80gb h100-sxm5-80gb");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace uplift::cli
