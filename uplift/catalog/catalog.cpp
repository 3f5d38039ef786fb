// SPDX-License-Identifier: Apache-2.0
#include "uplift/catalog/catalog.hpp"

#include "uplift/catalog/capability_file.hpp"
#include "uplift/catalog/embedded.hpp"
#include "uplift/catalog/gpu_file.hpp"
#include "uplift/catalog/resolve.hpp"
#include "uplift/catalog/toml_reader.hpp"

#include <algorithm>

namespace uplift::catalog {
namespace {

Result<std::string> parse_date(std::string_view text, std::string_view file) {
  const Place place(file);
  auto root = parse_toml(text, place);
  if (!root) return failure(root.error());
  auto date = read_text(*root, "date", place);
  if (!date) return failure(date.error());
  if (!date->has_value()) return place.syntax(*root, "no `date`");
  return **date;
}

}  // namespace

Result<Catalog> Catalog::load(std::span<const std::filesystem::path> user_files) {
  Catalog catalog;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == "data/catalog.toml") {
      auto date = parse_date(file.text, file.path);
      if (!date) return failure(date.error());
      catalog.date_ = *date;
    } else if (file.path == "data/compute_capabilities.toml") {
      auto formats = parse_capability_file(file.text, file.path);
      if (!formats) return failure(formats.error());
      catalog.formats_ = std::move(*formats);
    } else {
      auto gpu = parse_gpu_file(file.text, file.path);
      if (!gpu) return failure(gpu.error());
      catalog.gpus_.push_back(std::move(*gpu));
    }
  }
  for (const std::filesystem::path& path : user_files) {
    auto gpu = load_gpu_file(path);
    if (!gpu) return failure(gpu.error());
    if (catalog.find(gpu->id) != nullptr) {
      return failure(ErrorKind::kSyntax, path.filename().string(),
                     fmt::format("id \"{}\" is already in the catalog", gpu->id),
                     "give the board another id");
    }
    catalog.gpus_.push_back(std::move(*gpu));
  }
  std::sort(catalog.gpus_.begin(), catalog.gpus_.end(), [](const Gpu& a, const Gpu& b) {
    if (a.compute_capability != b.compute_capability) {
      return a.compute_capability < b.compute_capability;
    }
    return a.id < b.id;
  });
  return catalog;
}

const Gpu* Catalog::find(std::string_view id) const {
  for (const Gpu& gpu : gpus_) {
    if (gpu.id == id) return &gpu;
  }
  return nullptr;
}

Result<Resolution> Catalog::resolve(std::string_view name) const {
  return resolve_typed(gpus_, name);
}

Result<Resolution> Catalog::resolve_device(const DeviceHints& hints) const {
  return resolve_printed(gpus_, hints);
}

const CapabilityFormats* Catalog::formats(ComputeCapability capability) const {
  for (const CapabilityFormats& entry : formats_) {
    if (entry.compute_capability == capability) return &entry;
  }
  return nullptr;
}

std::vector<std::filesystem::path> list_gpu_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".toml") files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace uplift::catalog
