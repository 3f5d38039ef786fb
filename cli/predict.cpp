// SPDX-License-Identifier: Apache-2.0
// `uplift predict OPS.csv --to GPU`: an op table in, the same table with predicted times out. The
// table is read twice: what its times say together first, then row by row.
#include "cli/answer.hpp"
#include "cli/catalog_options.hpp"
#include "cli/command.hpp"
#include "cli/profile_options.hpp"
#include "cli/workload_input.hpp"
#include "uplift/core/even_sample.hpp"
#include "uplift/decide/op_table_totals.hpp"
#include "uplift/predict/card.hpp"
#include "uplift/predict/op/op_predictor.hpp"
#include "uplift/read/op_table/op_table_reader.hpp"
#include "uplift/read/op_table/table_input.hpp"
#include "uplift/report/op_table_csv.hpp"
#include "uplift/report/op_table_document.hpp"
#include "uplift/report/op_table_json.hpp"

#include <fmt/format.h>

#include <memory>

namespace uplift::cli {
namespace {

constexpr std::size_t kLearntFrom = 5000;             // rows; more say nothing new
constexpr std::size_t kPiece = std::size_t{1} << 18;  // bytes of answer written at a time
constexpr std::uint64_t kProgressRows = 8192;

struct Options {
  std::string table;
  std::string from, to;
  model::Basis basis = model::Basis::kMeasured;
  std::size_t rows = 20;
  std::vector<std::string> gpu_files;
  std::vector<std::string> profiles;
};

/// The cards, and what is to be said of them.
struct Cards {
  std::optional<predict::Card> source;
  predict::Card target;
};

using Profiles = std::vector<decide::CardProfile>;

[[nodiscard]] Result<predict::Card> build_card(const std::string& name, const Options& options,
                                               const catalog::Catalog& catalog,
                                               const Profiles& profiles,
                                               const model::Parameters& parameters,
                                               const Console& console) {
  auto found = resolve_typed(catalog, name);
  if (!found) return failure(found.error());
  if (!found->note.empty()) console.warn(found->note);
  return predict::build_card(*found->gpu, found->note, options.basis, parameters,
                             decide::find_profile(profiles, *found->gpu));
}

[[nodiscard]] Result<Cards> build_cards(const Options& options, const catalog::Catalog& catalog,
                                        const model::Parameters& parameters,
                                        const Console& console) {
  auto profiles = load_profiles(options.profiles, options.basis, catalog, console);
  if (!profiles) return failure(profiles.error());
  Cards cards;
  auto target = build_card(options.to, options, catalog, *profiles, parameters, console);
  if (!target) return failure(target.error());
  cards.target = std::move(*target);
  std::vector<std::string> used = {cards.target.gpu->id};
  if (!options.from.empty()) {
    auto source = build_card(options.from, options, catalog, *profiles, parameters, console);
    if (!source) return failure(source.error());
    cards.source = std::move(*source);
    used.push_back(cards.source->gpu->id);
  }
  warn_of_unused(*profiles, used, console);
  return cards;
}

OpTableCard describe(const predict::Card& card) {
  return {card.gpu->id, std::string(word(card.model.basis))};
}

/// Runs through the table to its end: every error of the file is told before anything is written.
[[nodiscard]] Result<EvenSample<predict::TimedOp>> sample_times(const read::TableInput& input,
                                                                bool wanted, Console& console) {
  EvenSample<predict::TimedOp> sample(kLearntFrom);
  auto bytes = input.start();
  if (!bytes) return failure(bytes.error());
  auto table = read::OpTableReader::open(**bytes, input.name());
  if (!table) return failure(table.error());
  wanted = wanted && table->has_source_seconds();
  for (std::uint64_t row = 0;; ++row) {
    auto record = table->next();
    if (!record) return failure(record.error());
    if (*record == nullptr) break;
    if (row % kProgressRows == 0) {
      console.show_progress("uplift: reading", (*bytes)->file_position(), (*bytes)->file_size());
    }
    if (!wanted || table->source_seconds(**record).empty() || !sample.wants_next()) continue;
    const read::OpRow& asked = table->parse(**record);
    if (asked.usable && asked.source_seconds) sample.add({asked.op, *asked.source_seconds});
  }
  console.clear_progress();
  return sample;
}

/// What is written for every row, in the format that was asked for.
class RowWriter {
 public:
  RowWriter(const read::OpTableReader& table, Console& console) : table_(table), console_(console) {
    text_.reserve(2 * kPiece);
  }

  void begin(const OpTableSummary& summary) {
    if (csv()) {
      if (table_.has_byte_order_mark()) text_ += "\xef\xbb\xbf";
      report::append_answer_header(text_, table_.header(), table_.header_line_end());
    } else if (json()) {
      text_ += report::op_table_json_begin(summary);
    }
  }
  [[nodiscard]] Result<void> blank(const read::CsvRecord& record) {
    if (csv()) text_.append(record.raw).append(line_end(record));
    return flush(kPiece);
  }
  [[nodiscard]] Result<void> row(const read::CsvRecord& record, const OpQuestion& question,
                                 const OpPrediction& prediction) {
    if (csv()) {
      const std::size_t fields = record.fields.size();
      const std::size_t missing = table_.columns() > fields ? table_.columns() - fields : 0;
      report::append_answer_row(text_, record.raw, missing, prediction, line_end(record));
    } else if (json()) {
      report::append_op_json(text_, question, prediction, first_);
    }
    first_ = false;
    return flush(kPiece);
  }
  [[nodiscard]] Result<void> end(const OpTableSummary& summary) {
    if (json()) text_ += report::op_table_json_end(summary);
    if (!csv() && !json()) {
      text_ = render_document(report::op_table_document(summary), console_);
    }
    return console_.write_answer(text_);
  }

 private:
  [[nodiscard]] bool csv() const { return console_.options.format == Format::kCsv; }
  [[nodiscard]] bool json() const { return console_.options.format == Format::kJson; }
  [[nodiscard]] std::string_view line_end(const read::CsvRecord& record) const {
    return record.line_end.empty() ? table_.header_line_end() : record.line_end;
  }
  [[nodiscard]] Result<void> flush(std::size_t least) {
    if (text_.size() < least) return {};
    auto written = console_.write_part(text_);
    text_.clear();
    return written;
  }

  const read::OpTableReader& table_;
  Console& console_;
  std::string text_;
  bool first_ = true;
};

/// The note of the row, then that of the prediction.
std::string_view join_notes(std::string_view row, std::string_view prediction, std::string& both) {
  if (row.empty()) return prediction;
  if (prediction.empty()) return row;
  both.assign(row).append("; ").append(prediction);
  return both;
}

[[nodiscard]] Result<void> answer_rows(read::OpTableReader& table,
                                       const predict::OpPredictor& predictor, bool with_source,
                                       decide::OpTableTotals& totals, RowWriter& writer,
                                       Console& console) {
  std::string both;
  predict::OpPredictor::Answer answer;
  for (std::uint64_t row = 0;; ++row) {
    auto record = table.next();
    if (!record) return failure(record.error());
    if (*record == nullptr) break;
    if ((*record)->blank()) {
      if (auto written = writer.blank(**record); !written) return written;
      continue;
    }
    const read::OpRow& asked = table.parse(**record);
    OpPrediction prediction;
    prediction.note = asked.note;
    if (asked.usable) {
      answer = predictor.predict(asked.op, with_source ? asked.source_seconds : std::nullopt);
      prediction = {answer.answered, answer.seconds, answer.low,
                    answer.high,     answer.bound,   join_notes(asked.note, answer.note, both)};
    }
    const OpQuestion question = {asked.name,  asked.kind,  asked.math,
                                 asked.shape, asked.count, asked.source_seconds};
    totals.add(question, prediction);
    if (auto written = writer.row(**record, question, prediction); !written) return written;
    if (row % kProgressRows == 0) {
      console.show_progress("uplift: predicting", table.source().file_position(),
                            table.source().file_size());
    }
  }
  console.clear_progress();
  return {};
}

void warn_of_columns(const read::OpTableReader& table, const Options& options,
                     const Console& console) {
  if (options.from.empty() && table.has_source_seconds()) {
    console.warn("source_seconds are not used: name the card that they were taken on with --from");
  }
  if (console.options.format != Format::kCsv) return;
  for (const std::string_view column : report::kAnswerColumns) {
    if (!table.has_column(column)) continue;
    console.warn(
        fmt::format("the table has a column {} already; the last one is the answer", column));
  }
}

Result<void> run(const Options& options, Console& console) {
  if (!console.options.format_chosen) console.options.format = Format::kCsv;
  std::vector<std::string> inputs = options.gpu_files;
  inputs.insert(inputs.end(), options.profiles.begin(), options.profiles.end());
  inputs.push_back(options.table);
  if (auto apart = check_output_apart(inputs, console); !apart) return apart;
  auto catalog = load_catalog(options.gpu_files);
  if (!catalog) return failure(catalog.error());
  auto parameters = model::load_parameters();
  if (!parameters) return failure(parameters.error());
  auto constants = predict::OpConstants::load();
  if (!constants) return failure(constants.error());
  auto cards = build_cards(options, *catalog, *parameters, console);
  if (!cards) return failure(cards.error());
  auto input = read::TableInput::open(options.table);
  if (!input) return failure(input.error());

  const bool with_source = cards->source.has_value();
  auto sample = sample_times(*input, with_source, console);
  if (!sample) return failure(sample.error());
  predict::OpPredictor predictor(*constants,
                                 with_source ? cards->source->input() : predict::OpCardInput(),
                                 cards->target.input());
  predictor.learn(sample->items(), true);

  auto bytes = input->start();
  if (!bytes) return failure(bytes.error());
  auto table = read::OpTableReader::open(**bytes, input->name());
  if (!table) return failure(table.error());
  warn_of_columns(*table, options, console);
  OpTableSummary frame;
  frame.tool = tool_info(*catalog, *parameters, console);
  if (with_source) frame.source = describe(*cards->source);
  frame.target = describe(cards->target);
  if (with_source && !cards->source->note.empty()) frame.notes.push_back(cards->source->note);
  if (!cards->target.note.empty()) frame.notes.push_back(cards->target.note);
  if (predictor.overhead() > 0) {
    frame.notes.push_back(
        fmt::format("the times seem to hold {:.1f} µs a call besides the kernel, taken to be the "
                    "same on the target",
                    predictor.overhead() * 1e6));
    console.explain(frame.notes.back());
  }
  RowWriter writer(*table, console);
  decide::OpTableTotals totals(options.rows);
  writer.begin(frame);
  auto answered = answer_rows(*table, predictor, with_source, totals, writer, console);
  if (!answered) return answered;
  OpTableSummary summary = totals.finish();
  summary.tool = std::move(frame.tool);
  summary.source = std::move(frame.source);
  summary.target = std::move(frame.target);
  summary.notes = std::move(frame.notes);
  return writer.end(summary);
}

}  // namespace

Action declare_predict(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("OPS.csv", options->table,
                 "an op table (docs/formats.md), plain, gzip or zstd; - for standard input")
      ->required()
      ->type_name("");
  app.add_option("--to", options->to, "the card to predict; `uplift gpus` lists them")
      ->required()
      ->type_name("GPU");
  app.add_option("--from", options->from, "the card that source_seconds were taken on")
      ->type_name("GPU");
  declare_basis(app, options->basis);
  declare_profiles(app, options->profiles);
  app.add_option("--rows", options->rows,
                 "rows of the table in text and Markdown; 0 for none (default 20)")
      ->check(CLI::Range(0, 1'000'000))
      ->type_name("N");
  declare_gpu_files(app, options->gpu_files);
  app.footer(
      "The answer is CSV by default: the rows as they stand, with target_seconds, low_seconds,\n"
      "high_seconds, bound and note. A row is name,kind,math,shape,count,source_seconds, such as\n"
      "  q_proj,gemm,bf16,b=1;m=4096;n=4096;k=4096,32,0.000231\n\n"
      "Example: uplift predict ops.csv --from a100-sxm4-80gb --to h100-sxm5-80gb");
  return [options](Console& console) { return run(*options, console); };
}

}  // namespace uplift::cli
