// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/validation_json.hpp"

#include "uplift/report/answer_json.hpp"

namespace uplift::report {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ErrorSummary& one) {
  return {{"family", one.family},
          {"basis", one.basis},
          {"from_source", one.from_source},
          {"cards", one.targets},
          {"n", one.n},
          {"mean_error", finite(one.mean)},
          {"worst_card_error", finite(one.worst)},
          {"worst_card", text_or_null(one.worst_on)},
          {"coverage", finite(one.coverage)},
          {"high_over_low", finite(one.width)}};
}

Json to_json(const ErrorRow& row) {
  const bool paired = !row.source.empty();
  const auto rival = [&](double error) { return paired ? finite(error) : Json(); };
  return {{"family", row.family},
          {"basis", row.basis},
          {"source", text_or_null(row.source)},
          {"target", row.target},
          {"n", row.errors.n},
          {"mean_error", finite(row.errors.mean)},
          {"median_error", finite(row.errors.median)},
          {"p90_error", finite(row.errors.p90)},
          {"worst_error", finite(row.errors.worst)},
          {"bias", finite(row.errors.bias)},
          {"coverage", finite(row.errors.coverage)},
          {"high_over_low", finite(row.errors.width)},
          {"constant_ratio_error", rival(row.rivals.constant)},
          {"bandwidth_ratio_error", rival(row.rivals.bandwidth)},
          {"peak_ratio_error", rival(row.rivals.peak)},
          {"roofline_ratio_error", rival(row.rivals.roofline)}};
}

}  // namespace

std::string validation_json(const Validation& validation, const ToolInfo& tool) {
  Json json;
  json["schema"] = "uplift.validate/1";
  json["tool"] = report::to_json(tool);
  json["recomputed"] = validation.recomputed;
  json["summaries"] = Json::array();
  for (const ErrorSummary& one : validation.summaries) json["summaries"].push_back(to_json(one));
  json["rows"] = Json::array();
  for (const ErrorRow& row : validation.rows) json["rows"].push_back(to_json(row));
  json["notes"] = validation.notes;
  return dump(json);
}

}  // namespace uplift::report
