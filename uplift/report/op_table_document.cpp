// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/op_table_document.hpp"

#include "uplift/report/units.hpp"

#include <fmt/format.h>

namespace uplift::report {
namespace {

Cell time_cell(double seconds) {
  return {format_seconds(seconds), Tone::kPlain, format_raw(seconds)};
}

std::string rows_of(std::int64_t rows) {
  return fmt::format("{} row{}", format_count(rows), rows == 1 ? "" : "s");
}

std::string describe(const OpTableCard& card) {
  return fmt::format("{} ({})", card.gpu, card.basis);
}

Paragraph totals(const OpTableSummary& summary) {
  std::string text = rows_of(summary.rows);
  if (summary.answered < summary.rows) {
    text += fmt::format(", {} answered", format_count(summary.answered));
  }
  text += fmt::format(", on {}: {} for all calls.", describe(summary.target),
                      format_seconds(summary.target_seconds));
  if (summary.compared > 0 && summary.source) {
    text += fmt::format(" The {} with a time on {} take {} there and {} here: {}.",
                        rows_of(summary.compared), describe(*summary.source),
                        format_seconds(summary.source_seconds),
                        format_seconds(summary.compared_target_seconds),
                        format_ratio(summary.source_seconds / summary.compared_target_seconds));
  }
  return {text, Tone::kStrong};
}

Table bounds(const OpTableSummary& summary) {
  Table table;
  table.title = "What bounds them";
  table.columns = {
      {"bound", "bound", Align::kLeft}, {"time", "target_seconds"}, {"share", "share"}};
  for (const Bound bound : kBounds) {
    const double seconds = summary.seconds_by_bound[static_cast<std::size_t>(bound)];
    if (seconds <= 0) continue;
    table.rows.push_back({{std::string(word(bound))},
                          time_cell(seconds),
                          {format_percent(seconds / summary.target_seconds)}});
  }
  return table;
}

Table longest(const OpTableSummary& summary) {
  Table table;
  const auto shown = static_cast<std::int64_t>(summary.longest.size());
  table.title = shown < summary.answered
                    ? fmt::format("The {} that take the most time, one call each", rows_of(shown))
                    : std::string("By falling time, one call each");
  table.columns = {{"name", "name", Align::kLeft, true},
                   {"operation", "kind", Align::kLeft},
                   {"shape", "shape", Align::kLeft, true},
                   {"calls", "count"}};
  if (summary.compared > 0) table.columns.push_back({"source", "source_seconds"});
  table.columns.push_back({"target", "target_seconds"});
  table.columns.push_back({"interval", "interval"});
  table.columns.push_back({"bound", "bound", Align::kLeft});
  table.columns.push_back({"note", "note", Align::kLeft, true});
  for (const OpTableSummary::Row& row : summary.longest) {
    std::vector<Cell> cells = {{row.name},
                               {row.math.empty() ? row.kind : row.kind + " " + row.math},
                               {row.shape},
                               {format_count(row.count)}};
    if (summary.compared > 0) {
      cells.push_back(row.source_seconds ? time_cell(*row.source_seconds)
                                         : Cell{std::string(kUnknown), Tone::kFaint});
    }
    cells.push_back(time_cell(row.seconds));
    cells.push_back({fmt::format("{} – {}", format_seconds(row.low), format_seconds(row.high))});
    cells.push_back({std::string(word(row.bound))});
    cells.push_back({row.note});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table refusals(const OpTableSummary& summary) {
  constexpr std::size_t kShown = 10;
  Table table;
  table.title = "Not answered";
  table.columns = {{"rows", "rows"},
                   {"why", "note", Align::kLeft, true},
                   {"first", "first_row", Align::kLeft, true}};
  for (const OpTableSummary::Refusal& refusal : summary.refusals) {
    if (table.rows.size() == kShown) break;
    table.rows.push_back({{format_count(refusal.rows)}, {refusal.note}, {refusal.first_row}});
  }
  if (summary.refusals.size() > kShown) {
    table.notes.push_back("and other reasons; `--format csv` has the reason of every row");
  }
  return table;
}

}  // namespace

Document op_table_document(const OpTableSummary& summary) {
  Document document;
  document.blocks.push_back(totals(summary));
  for (const std::string& note : summary.notes) document.blocks.push_back(Paragraph{note});
  if (summary.answered > 0) {
    document.blocks.push_back(bounds(summary));
    if (!summary.longest.empty()) document.blocks.push_back(longest(summary));
  }
  if (!summary.refusals.empty()) document.blocks.push_back(refusals(summary));
  return document;
}

}  // namespace uplift::report
