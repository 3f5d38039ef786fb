// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/gpu_json.hpp"

#include "uplift/report/tool_json.hpp"

#include <fmt/format.h>

namespace uplift::report {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

/// Counts as whole numbers, everything else as it is.
Json value_json(const GpuField& field, double value) {
  const bool whole = field.kind == UnitKind::kCount || field.kind == UnitKind::kBits;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json to_json(const GpuField& field, const Fact& fact) {
  Json json;
  json["value"] = value_json(field, fact.value);
  json["how"] = word(fact.provenance);
  json["source"] = fact.source;
  json["note"] = text_or_null(fact.note);
  return json;
}

Json to_json(const FormatSupport& support) {
  Json json;
  json["format"] = support.format;
  json["tensor_core"] = support.tensor_core;
  json["sparse_2to4"] = support.sparse_2to4;
  json["tensor_ops_per_clock_per_sm"] = number_or_null(support.tensor_rate);
  json["cuda_core_ops_per_clock_per_sm"] = number_or_null(support.cuda_core_rate);
  json["tensor_path"] = text_or_null(support.tensor_path);
  json["cuda_core_path"] = text_or_null(support.cuda_core_path);
  json["how"] = word(support.provenance);
  json["source"] = support.source;
  json["note"] = text_or_null(support.note);
  return json;
}

Json to_json(const BoardView& board) {
  const Gpu& gpu = *board.gpu;
  Json json;
  json["gpu"] = gpu.id;
  json["name"] = gpu.name;
  json["architecture"] = text_or_null(gpu.architecture);
  json["chip"] = text_or_null(gpu.chip);
  json["compute_capability"] =
      fmt::format("{}.{}", gpu.compute_capability.major, gpu.compute_capability.minor);
  json["memory_type"] = text_or_null(gpu.memory_type);
  json["launch_year"] = gpu.launch_year > 0 ? Json(gpu.launch_year) : Json();
  json["aliases"] = gpu.aliases;
  json["near_aliases"] = gpu.near_aliases;
  json["notes"] = gpu.notes;
  json["support"] = {{"last_cuda_toolkit", text_or_null(gpu.last_cuda_toolkit)},
                     {"last_driver_branch", text_or_null(gpu.last_driver_branch)},
                     {"how", word(gpu.support_provenance)},
                     {"source", text_or_null(gpu.support_source)}};
  json["numbers"] = Json::object();
  for (const GpuField& field : gpu_fields()) {
    const MaybeFact& fact = field.read(gpu);
    json["numbers"][std::string(field.json_key)] = fact ? to_json(field, *fact) : Json();
  }
  json["peak_exceptions"] = Json::array();
  for (const PeakException& exception : gpu.peak_exceptions) {
    const GpuField* field = find_gpu_field(exception.path);
    json["peak_exceptions"].push_back(
        {{"number", field != nullptr ? std::string(field->json_key) : exception.path},
         {"reason", exception.reason}});
  }
  json["formats"] = Json();
  if (board.formats != nullptr) {
    json["formats"] = Json::array();
    for (const FormatSupport& support : board.formats->formats) {
      json["formats"].push_back(to_json(support));
    }
  }
  return json;
}

}  // namespace

std::string gpus_json(std::span<const BoardView> boards, const ToolInfo& tool) {
  Json json;
  json["schema"] = "uplift.gpus/1";
  json["tool"] = report::to_json(tool);
  json["gpus"] = Json::array();
  for (const BoardView& board : boards) json["gpus"].push_back(to_json(board));
  return dump(json);
}

std::string compare_json(std::span<const BoardView> boards, const ToolInfo& tool) {
  const Comparison comparison = compare_boards(boards);
  Json json;
  json["schema"] = "uplift.compare/1";
  json["tool"] = report::to_json(tool);
  json["gpus"] = Json::array();
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const Gpu& gpu = *boards[i].gpu;
    json["gpus"].push_back(
        {{"gpu", gpu.id},
         {"name", gpu.name},
         {"architecture", text_or_null(gpu.architecture)},
         {"compute_capability",
          fmt::format("{}.{}", gpu.compute_capability.major, gpu.compute_capability.minor)},
         {"last_cuda_toolkit", text_or_null(gpu.last_cuda_toolkit)},
         {"last_driver_branch", text_or_null(gpu.last_driver_branch)},
         {"tensor_formats_gained", comparison.formats[i].gained},
         {"tensor_formats_lost", comparison.formats[i].lost}});
  }
  json["rows"] = Json::array();
  for (const ComparisonRow& row : comparison.rows) {
    Json entry;
    entry["quantity"] = row.field->json_key;
    entry["label"] = row.field->label;
    for (const char* key : {"values", "ratios", "absent", "downgrades"}) entry[key] = Json::array();
    for (const ComparisonCell& cell : row.cells) {
      const bool known = cell.presence == Presence::kKnown;
      entry["values"].push_back(known ? value_json(*row.field, cell.value) : Json());
      entry["ratios"].push_back(number_or_null(cell.ratio));
      entry["absent"].push_back(cell.presence == Presence::kAbsent);
      entry["downgrades"].push_back(cell.downgrade);
    }
    json["rows"].push_back(std::move(entry));
  }
  return dump(json);
}

}  // namespace uplift::report
