// SPDX-License-Identifier: Apache-2.0
// Pieces that the JSON answers about a recording share. Only the .cpp files of report/ include it.
#pragma once

#include "uplift/core/advice.hpp"
#include "uplift/report/tool_json.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace uplift::report {

[[nodiscard]] inline nlohmann::ordered_json finite(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

template <class T>
[[nodiscard]] nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

[[nodiscard]] inline nlohmann::ordered_json to_json(const Range& range) {
  return {{"predicted", finite(range.predicted)},
          {"low", finite(range.low)},
          {"high", finite(range.high)}};
}

[[nodiscard]] inline nlohmann::ordered_json to_json(const MaybeRange& range) {
  return range
             ? to_json(*range)
             : nlohmann::ordered_json{{"predicted", nullptr}, {"low", nullptr}, {"high", nullptr}};
}

[[nodiscard]] inline nlohmann::ordered_json to_json(const WorkloadFacts& workload) {
  nlohmann::ordered_json json;
  json["kind"] = workload.kind;
  json["framework"] = text_or_null(workload.framework);
  json["steps"] = workload.steps;
  json["kernel_launches"] = workload.kernel_launches;
  json["distinct_kernels"] = workload.distinct_kernels;
  json["rank"] = or_null(workload.rank);
  json["world_size"] = or_null(workload.world_size);
  json["warnings"] = workload.warnings;
  return json;
}

}  // namespace uplift::report
