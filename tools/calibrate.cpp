// SPDX-License-Identifier: Apache-2.0
// Fits the constants of every family of operations and writes data/model/operations.toml.
//
// usage: calibrate TIMINGS.csv OPERATIONS.toml
//
// TIMINGS.csv: what tools/collect_timings.py writes. For each family the constants are fitted on
// all its cards; the accuracy beside them is that of fits with each card left out in turn. Reruns
// on the same table give the same file. Takes minutes.
#include "uplift/catalog/catalog.hpp"
#include "uplift/fit/timing_table.hpp"
#include "uplift/fit/validation.hpp"
#include "uplift/predict/op/families.hpp"
#include "uplift/predict/op/op_constants.hpp"
#include "uplift/read/op_table/timing_table.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <numeric>

using namespace uplift;

namespace {

int fail(const std::string& what) {
  fmt::print(stderr, "calibrate: {}\n", what);
  return 1;
}

predict::FamilyRecord calibrate(const fit::FamilyTimings& timings) {
  const auto& [family, data] = timings;
  fit::ValidationOptions options;
  std::vector<std::string> notes;
  predict::FamilyRecord record;
  std::vector<std::size_t> cards(data.cards.size());
  std::iota(cards.begin(), cards.end(), std::size_t{0});
  record.knowledge = fit::study_family(*family, data, cards, options.study);
  record.rows = static_cast<std::int64_t>(data.samples.size());
  const auto rows = fit::validate_family(*family, data, nullptr, options, notes);
  for (const ErrorSummary& one : fit::summarise(rows)) {
    fmt::print(
        "{:<20}{:<10} {} cards {:>2}  mean {:5.1f} %  worst {:5.1f} % {:<16} cover {:.2f}  "
        "high/low {:.2f}\n",
        one.family, one.basis, one.from_source ? "source" : "shape ", one.targets, 100 * one.mean,
        100 * one.worst, one.worst_on, one.coverage, one.width);
    if (one.from_source) continue;
    for (const auto knowledge : predict::kKnowledges) {
      if (word(knowledge) != one.basis) continue;
      record.accuracy[static_cast<std::size_t>(knowledge)] = {
          static_cast<std::int64_t>(one.targets),
          one.mean,
          one.worst,
          one.worst_on,
          one.coverage,
          one.width};
    }
  }
  std::fflush(stdout);
  return record;
}

/// A family without public timings: its constants are where a fit would start.
predict::FamilyRecord without_timings(const predict::OpFamily& family) {
  predict::FamilyRecord record;
  for (const auto& range : family.parameters()) record.knowledge.constants.push_back(range.start);
  record.knowledge.noise = 0.2;
  for (auto& spread : record.knowledge.spread) spread = {0.1, 0.1, 0.3};
  for (auto& field : record.knowledge.field) field = {0.04, 1.0, 0.5, 0.5};
  record.knowledge.interval.fill(2.0);
  return record;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: calibrate TIMINGS.csv OPERATIONS.toml\n");
    return 2;
  }
  const auto catalog = catalog::Catalog::load();
  const auto parameters = model::load_parameters();
  if (!catalog || !parameters) return fail("the built-in data cannot be read");
  auto table = read::load_timings(argv[1]);
  if (!table) return fail(table.error().where + ": " + table.error().seen);
  if (table->unusable > 0) {
    fmt::print("{} rows are not used; the first: {}\n", table->unusable, table->first_unusable);
  }
  std::map<std::string, fit::CardModels> cards;
  for (const std::string& id : table->gpus) {
    const Gpu* gpu = catalog->find(id);
    if (gpu == nullptr) return fail(id + " is not in the catalog");
    auto datasheet = model::build_gpu_model(*gpu, model::Basis::kDatasheet, *parameters);
    auto published = model::build_gpu_model(*gpu, model::Basis::kPublished, *parameters);
    if (!datasheet || !published) return fail(id + " lacks numbers that the model needs");
    cards.emplace(id, fit::CardModels{*datasheet, *published});
  }
  std::vector<fit::Timing> timings;
  for (read::TimingRow& row : table->rows) {
    timings.push_back({table->gpus[row.gpu], std::move(row.op), row.seconds, row.with_launch});
  }
  std::map<std::string, predict::FamilyRecord, std::less<>> records;
  for (const fit::FamilyTimings& one : fit::split_by_family(timings, cards)) {
    records.emplace(one.family->name(), calibrate(one));
  }
  for (const predict::OpFamily* family : predict::op_families()) {
    if (!records.contains(family->name())) {
      records.emplace(family->name(), without_timings(*family));
    }
  }
  std::ofstream file(argv[2], std::ios::trunc);
  file << predict::render_constants(records);
  file.close();
  return file ? 0 : fail(std::string(argv[2]) + " cannot be written");
}
