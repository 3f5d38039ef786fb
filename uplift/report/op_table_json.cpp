// SPDX-License-Identifier: Apache-2.0
// Rows are written by hand, since there may be millions; the rest is made as other answers are.
#include "uplift/report/op_table_json.hpp"

#include "uplift/report/answer_json.hpp"
#include "uplift/report/op_table_csv.hpp"

#include <fmt/format.h>

#include <iterator>

namespace uplift::report {
namespace {

using Json = nlohmann::ordered_json;

Json card_json(const OpTableCard& card) { return {{"gpu", card.gpu}, {"basis", card.basis}}; }

void append_text(std::string& out, std::string_view text) {
  bool plain = true;
  for (const char c : text) plain = plain && c >= ' ' && c <= '~' && c != '"' && c != '\\';
  if (!plain) {
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void append_key(std::string& out, std::string_view key) {
  out += ", \"";
  out += key;
  out += "\": ";
}

void append_text_or_null(std::string& out, std::string_view key, std::string_view text) {
  append_key(out, key);
  if (text.empty()) {
    out += "null";
  } else {
    append_text(out, text);
  }
}

}  // namespace

std::string op_table_json_begin(const OpTableSummary& summary) {
  Json json;
  json["schema"] = "uplift.predict/1";
  json["tool"] = to_json(summary.tool);
  json["source"] = summary.source ? card_json(*summary.source) : Json();
  json["target"] = card_json(summary.target);
  json["confidence"] = 0.9;
  json["notes"] = summary.notes;
  std::string text = dump(json);
  text.erase(text.rfind("\n}"));
  return text + ",\n  \"rows\": [";
}

void append_op_json(std::string& out, const OpQuestion& question, const OpPrediction& prediction,
                    bool first) {
  out += first ? "\n    {\"name\": " : ",\n    {\"name\": ";
  if (question.name.empty()) {
    out += "null";
  } else {
    append_text(out, question.name);
  }
  append_text_or_null(out, "kind", question.kind);
  append_text_or_null(out, "math", question.math);
  append_text_or_null(out, "shape", question.shape);
  fmt::format_to(std::back_inserter(out), ", \"count\": {}", question.count);
  append_key(out, "source_seconds");
  if (question.source_seconds) {
    fmt::format_to(std::back_inserter(out), "{}", *question.source_seconds);
  } else {
    out += "null";
  }
  append_key(out, "target_seconds");
  if (prediction.answered) {
    out += "{\"predicted\": ";
    append_seconds(out, prediction.seconds);
    append_key(out, "low");
    append_seconds(out, prediction.low);
    append_key(out, "high");
    append_seconds(out, prediction.high);
    out += '}';
  } else {
    out += "null";
  }
  append_text_or_null(out, "bound", prediction.answered ? word(prediction.bound) : "");
  append_text_or_null(out, "note", prediction.note);
  out += '}';
}

std::string op_table_json_end(const OpTableSummary& summary) {
  Json totals;
  totals["rows"] = summary.rows;
  totals["answered_rows"] = summary.answered;
  totals["target_seconds"] = summary.answered > 0 ? finite(summary.target_seconds) : Json();
  totals["seconds_by_bound"] = Json::object();
  for (const Bound bound : kBounds) {
    totals["seconds_by_bound"][std::string(word(bound))] =
        finite(summary.seconds_by_bound[static_cast<std::size_t>(bound)]);
  }
  const bool compared = summary.compared > 0;
  totals["compared_rows"] = summary.compared;
  totals["compared_source_seconds"] = compared ? finite(summary.source_seconds) : Json();
  totals["compared_target_seconds"] = compared ? finite(summary.compared_target_seconds) : Json();
  totals["compared_speedup"] =
      compared ? finite(summary.source_seconds / summary.compared_target_seconds) : Json();
  Json wrapped;
  wrapped["totals"] = std::move(totals);
  return (summary.rows > 0 ? "\n  ]," : "],") + dump(wrapped).substr(1);
}

}  // namespace uplift::report
