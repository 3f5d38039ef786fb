// SPDX-License-Identifier: Apache-2.0
#include "cli/timings_input.hpp"

#include "cli/catalog_options.hpp"
#include "uplift/read/op_table/timing_table.hpp"

#include <fmt/format.h>

namespace uplift::cli {

Result<TimingsInput> load_timings(const std::vector<std::string>& files,
                                  const catalog::Catalog& catalog,
                                  const model::Parameters& parameters, const Console& console) {
  TimingsInput input;
  for (const std::string& file : files) {
    auto table = read::load_timings(file);
    if (!table) return failure(table.error());
    if (table->unusable > 0) {
      console.warn(fmt::format("{}: {} rows are not used; the first: {}", file, table->unusable,
                               table->first_unusable));
    }
    std::vector<std::string> ids;
    for (const std::string& name : table->gpus) {
      const auto found = resolve_typed(catalog, name);
      if (!found) {
        return failure(ErrorKind::kUnsupported, file, found.error().where + found.error().seen,
                       found.error().advice);
      }
      const Gpu& gpu = *found->gpu;
      ids.push_back(gpu.id);
      if (input.cards.contains(gpu.id)) continue;
      auto datasheet = model::build_gpu_model(gpu, model::Basis::kDatasheet, parameters);
      if (!datasheet) return failure(datasheet.error());
      auto published = model::build_gpu_model(gpu, model::Basis::kPublished, parameters);
      if (!published) return failure(published.error());
      input.cards.emplace(gpu.id, fit::CardModels{std::move(*datasheet), std::move(*published)});
    }
    for (read::TimingRow& row : table->rows) {
      input.timings.push_back({ids[row.gpu], std::move(row.op), row.seconds, row.with_launch});
    }
  }
  return input;
}

}  // namespace uplift::cli
