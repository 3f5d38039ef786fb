// SPDX-License-Identifier: Apache-2.0
#include "cli/catalog_options.hpp"

#include <cstdlib>

namespace uplift::cli {

void declare_gpu_files(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--gpu-file", files, "a GPU of your own (docs/gpu_files.md); may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::filesystem::path user_gpu_folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data != '\0') return std::filesystem::path(data) / "uplift" / "gpus";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return std::filesystem::path(home) / ".local" / "share" / "uplift" / "gpus";
}

Result<catalog::Catalog> load_catalog(const std::vector<std::string>& files) {
  std::vector<std::filesystem::path> paths;
  if (const auto folder = user_gpu_folder(); !folder.empty()) {
    paths = catalog::list_gpu_files(folder);
  }
  paths.insert(paths.end(), files.begin(), files.end());
  return catalog::Catalog::load(paths);
}

Result<catalog::Resolution> resolve_typed(const catalog::Catalog& catalog,
                                          const std::string& name) {
  auto found = catalog.resolve(name);
  if (found) return found;
  // A name on the command line is wrong usage, whatever is wrong with it.
  Error error = found.error();
  if (error.kind == ErrorKind::kUnsupported) error.kind = ErrorKind::kUsage;
  return failure(std::move(error));
}

Result<report::BoardView> resolve_board(const catalog::Catalog& catalog, const std::string& name,
                                        const Console& console) {
  auto found = resolve_typed(catalog, name);
  if (!found) return failure(found.error());
  if (!found->note.empty()) console.warn(found->note);
  return report::BoardView{found->gpu, catalog.formats(found->gpu->compute_capability)};
}

}  // namespace uplift::cli
