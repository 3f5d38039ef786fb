// SPDX-License-Identifier: Apache-2.0
// Key by key as docs/formats.md lists them; what is unknown is null, what is not finite too.
#include "uplift/report/advice_json.hpp"

#include "uplift/report/answer_json.hpp"
#include "uplift/report/tool_json.hpp"

#include <algorithm>

namespace uplift::report {
namespace {

using Json = nlohmann::ordered_json;
using report::to_json;  // beside those below

Json by_bound(const BoundSeconds& parts) {
  Json json = Json::object();
  for (const Bound bound : kBounds) {
    json[std::string(word(bound))] = finite(parts[static_cast<std::size_t>(bound)]);
  }
  return json;
}

Json to_json(const SourceFacts& source) {
  Json by_class = Json::object();
  for (const KernelClass kernel_class : kKernelClasses) {
    by_class[std::string(word(kernel_class))] =
        finite(source.seconds_by_class[static_cast<std::size_t>(kernel_class)]);
  }
  Json json;
  json["gpu"] = or_null(source.gpu);
  json["basis"] = or_null(source.basis);
  json["step_seconds"] = or_null(source.step_seconds);
  json["gpu_busy_share"] = or_null(source.gpu_busy_share);
  json["floor_seconds"] = or_null(source.floor_seconds);
  json["unchangeable_share"] =
      source.floor_seconds && source.step_seconds && *source.step_seconds > 0
          ? finite(std::min(1.0, *source.floor_seconds / *source.step_seconds))
          : Json();
  json["seconds_by_class"] = std::move(by_class);
  json["seconds_by_bound"] = by_bound(source.seconds_by_bound);
  json["notes"] = source.notes;
  return json;
}

Json to_json(const ProgramChange& change) {
  return {{"change", change.change},
          {"step_seconds", to_json(change.step_seconds)},
          {"speedup", to_json(change.speedup)},
          {"needs", change.needs}};
}

Json to_json(const DimensionFactor& factor) {
  return {{"dimension", word(factor.dimension)},
          {"factor", or_null(factor.factor)},
          {"note", factor.note}};
}

Json to_json(const MemoryFit& memory) {
  return {{"needed_bytes", or_null(memory.needed_bytes)},
          {"available_bytes", or_null(memory.available_bytes)},
          {"fits", or_null(memory.fits)},
          {"max_batch", or_null(memory.max_batch)}};
}

Json to_json(const Verdict& verdict) {
  Json flips = Json::array();
  for (const Flip& flip : verdict.flips_if) {
    flips.push_back({{"input", flip.input},
                     {"current", finite(flip.current)},
                     {"flips_at", finite(flip.flips_at)},
                     {"unit", flip.unit}});
  }
  Json json;
  json["decision"] = word(verdict.decision);
  json["reasons"] = verdict.reasons;
  json["flips_if"] = std::move(flips);
  return json;
}

Json to_json(const KernelAdvice& kernel) {
  Json json;
  json["name"] = kernel.name;
  json["op"] = text_or_null(kernel.op);
  json["class"] = word(kernel.kernel_class);
  json["shape"] = text_or_null(kernel.shape);
  json["launches_per_step"] = kernel.launches_per_step;
  json["source_seconds"] = finite(kernel.source_seconds);
  json["target_seconds"] = to_json(kernel.target_seconds);
  json["source_bound"] = word(kernel.source_bound);
  json["target_bound"] = word(kernel.target_bound);
  json["source_math"] = kernel.source_math ? Json(word(*kernel.source_math)) : Json();
  json["target_math"] = word(kernel.target_math);
  return json;
}

/// Lists of the plain structs above.
template <class T>
Json list(const std::vector<T>& items) {
  Json json = Json::array();
  for (const T& item : items) json.push_back(to_json(item));
  return json;
}

Json to_json(const TargetAdvice& target) {
  Json json;
  json["gpu"] = target.gpu;
  json["basis"] = target.basis;
  json["step_seconds"] = to_json(target.step_seconds);
  json["speedup"] = target.speedup ? to_json(*target.speedup) : Json();
  json["confidence"] = target.confidence;
  json["naive"] = {{"bandwidth_ratio", or_null(target.bandwidth_ratio)},
                   {"peak_ratio", or_null(target.peak_ratio)}};
  json["with_changes"] = list(target.with_changes);
  json["dimensions"] = list(target.dimensions);
  json["unattributed"] = finite(target.unattributed);
  json["seconds_by_bound"] = by_bound(target.seconds_by_bound);
  json["memory"] = to_json(target.memory);
  json["energy"] = {{"joules_per_step", to_json(target.joules_per_step)},
                    {"ratio", or_null(target.energy_ratio)}};
  json["verdict"] = to_json(target.verdict);
  json["notes"] = target.notes;
  json["kernels"] = list(target.kernels);
  return json;
}

}  // namespace

std::string advice_json(const Advice& advice) {
  Json json;
  json["schema"] = "uplift.advise/1";
  json["tool"] = to_json(advice.tool);
  json["workload"] = to_json(advice.workload);
  json["source"] = to_json(advice.source);
  Json targets = Json::array();
  for (const TargetAdvice& target : advice.targets) targets.push_back(to_json(target));
  json["targets"] = std::move(targets);
  return dump(json);
}

}  // namespace uplift::report
