// SPDX-License-Identifier: Apache-2.0
// `uplift gpus [GPU]`: the catalog, or one board with the source of every number.
#include "cli/answer.hpp"
#include "cli/catalog_options.hpp"
#include "cli/command.hpp"
#include "uplift/report/gpu_document.hpp"
#include "uplift/report/gpu_json.hpp"

#include <memory>

namespace uplift::cli {
namespace {

struct Options {
  std::string gpu;
  std::vector<std::string> gpu_files;
};

Result<void> run(const Options& options, Console& console) {
  auto catalog = load_catalog(options.gpu_files);
  if (!catalog) return failure(catalog.error());
  std::vector<report::BoardView> boards;
  if (options.gpu.empty()) {
    for (const Gpu& gpu : catalog->all()) {
      boards.push_back({&gpu, catalog->formats(gpu.compute_capability)});
    }
  } else {
    auto board = resolve_board(*catalog, options.gpu, console);
    if (!board) return failure(board.error());
    boards.push_back(*board);
  }
  if (console.options.format == Format::kJson) {
    return console.write_answer(report::gpus_json(boards, tool_info(*catalog, console)));
  }
  report::Document document;
  if (options.gpu.empty()) {
    document = report::gpu_list_document(boards);
  } else if (console.options.format == Format::kCsv) {
    document = report::gpu_numbers_document(boards.front());
  } else {
    document = report::gpu_document(boards.front());
  }
  return console.write_answer(render_document(document, console));
}

}  // namespace

Action declare_gpus(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("GPU", options->gpu, "show every number of one GPU")->type_name("");
  declare_gpu_files(app, options->gpu_files);
  app.footer("Example: uplift gpus a100-sxm4-80gb");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace uplift::cli
