// SPDX-License-Identifier: Apache-2.0
// `uplift validate [TIMINGS…]`: how far predictions of single operations are off, recomputed.
#include "cli/answer.hpp"
#include "cli/catalog_options.hpp"
#include "cli/command.hpp"
#include "cli/timings_input.hpp"
#include "cli/workload_input.hpp"
#include "uplift/fit/validation.hpp"
#include "uplift/predict/op/families.hpp"
#include "uplift/predict/op/op_constants.hpp"
#include "uplift/report/validation_document.hpp"
#include "uplift/report/validation_json.hpp"

#include <fmt/format.h>

#include <memory>

namespace uplift::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> gpu_files;
  bool pairs = false;
  std::size_t rows = 2000;
};

/// The figures that came with the constants.
Validation recorded(const predict::OpConstants& constants) {
  Validation validation;
  for (const predict::OpFamily* family : predict::op_families()) {
    const predict::FamilyRecord& record = constants.of(*family);
    for (const auto knowledge : predict::kKnowledges) {
      const auto& accuracy = record.accuracy[static_cast<std::size_t>(knowledge)];
      if (accuracy.cards == 0) continue;
      ErrorSummary summary;
      summary.family = family->name();
      summary.basis = word(knowledge);
      summary.targets = static_cast<std::size_t>(accuracy.cards);
      summary.n = static_cast<std::size_t>(record.rows);
      summary.mean = accuracy.mean;
      summary.worst = accuracy.worst;
      summary.worst_on = accuracy.worst_on;
      summary.coverage = accuracy.coverage;
      summary.width = accuracy.width;
      validation.summaries.push_back(summary);
    }
    if (record.accuracy[0].cards == 0) {
      validation.notes.push_back(fmt::format(
          "{}: {}; nothing says how far it is off elsewhere", family->name(),
          record.rows > 0 ? "timings of one card are all there is" : "there are no timings"));
    }
  }
  return validation;
}

Result<Validation> recompute(const Options& options, const catalog::Catalog& catalog,
                             const model::Parameters& parameters,
                             const predict::OpConstants& constants, Console& console) {
  auto input = load_timings(options.files, catalog, parameters, console);
  if (!input) return failure(input.error());
  Validation validation;
  validation.recomputed = true;
  fit::ValidationOptions how;
  how.rows = options.rows;
  const auto families = fit::split_by_family(input->timings, input->cards);
  for (std::size_t i = 0; i < families.size(); ++i) {
    console.show_progress("uplift: validating", i, families.size());
    const auto& [family, data] = families[i];
    auto rows = fit::validate_family(*family, data, &constants.of(*family).knowledge, how,
                                     validation.notes);
    for (ErrorRow& row : rows) validation.rows.push_back(std::move(row));
  }
  console.clear_progress();
  validation.summaries = fit::summarise(validation.rows);
  return validation;
}

Result<void> run(const Options& options, Console& console) {
  std::vector<std::string> inputs = options.gpu_files;
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  if (auto apart = check_output_apart(inputs, console); !apart) return apart;
  auto catalog = load_catalog(options.gpu_files);
  if (!catalog) return failure(catalog.error());
  auto parameters = model::load_parameters();
  if (!parameters) return failure(parameters.error());
  auto constants = predict::OpConstants::load();
  if (!constants) return failure(constants.error());
  Validation validation;
  if (options.files.empty()) {
    validation = recorded(*constants);
  } else {
    auto recomputed = recompute(options, *catalog, *parameters, *constants, console);
    if (!recomputed) return failure(recomputed.error());
    validation = std::move(*recomputed);
  }
  if (console.options.format == Format::kJson) {
    ToolInfo tool = tool_info(*catalog, console);
    tool.model = parameters->version;
    tool.parameters_sha256 = model::parameters_sha256();
    return console.write_answer(report::validation_json(validation, tool));
  }
  return console.write_answer(
      render_document(report::validation_document(validation, options.pairs), console));
}

}  // namespace

Action declare_validate(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("TIMINGS", options->files,
                 "tables of timings: an op table with the columns gpu and seconds; none: the "
                 "figures found when the constants were fitted")
      ->type_name("");
  app.add_flag("--pairs", options->pairs, "every card and pair, beside what simple ratios say");
  app.add_option("--rows", options->rows, "score at most this many operations of a card or pair")
      ->type_name("N")
      ->check(CLI::Range(10, 1'000'000))
      ->capture_default_str();
  declare_gpu_files(app, options->gpu_files);
  app.footer(
      "A card that went into the constants is predicted by constants fitted on the other cards of "
      "the tables; any other card by those that ship.\n"
      "Example: uplift validate timings.csv --pairs");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace uplift::cli
