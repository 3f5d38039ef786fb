// SPDX-License-Identifier: Apache-2.0
// The `tool` object that every JSON output carries. Only the .cpp files of report/ include it.
#pragma once

#include "uplift/core/tool_info.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace uplift::report {

/// Null for an empty text: the key is there, the value is not known.
[[nodiscard]] inline nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
}

[[nodiscard]] inline nlohmann::ordered_json to_json(const ToolInfo& tool) {
  nlohmann::ordered_json json;
  json["version"] = tool.version;
  json["git"] = text_or_null(tool.git);
  json["model"] = text_or_null(tool.model);
  json["catalog_date"] = text_or_null(tool.catalog_date);
  json["parameters_sha256"] = text_or_null(tool.parameters_sha256);
  json["seed"] = tool.seed;
  return json;
}

/// Two spaces of indentation, UTF-8 as it is (bad bytes replaced), one line break at the end.
[[nodiscard]] inline std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace uplift::report
