// SPDX-License-Identifier: Apache-2.0
// Key by key as docs/formats.md lists them; what is unknown is null, what is not finite too.
#include "uplift/report/inspection_json.hpp"

#include "uplift/report/answer_json.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::report {
namespace {

using Json = nlohmann::ordered_json;
using report::to_json;  // beside those below

template <class Word>
Json word_or_null(const std::optional<Word>& value) {
  return value ? Json(word(*value)) : Json();
}

Json finite_or_null(const std::optional<double>& value) { return value ? finite(*value) : Json(); }

Json to_json(const Inspection& inspection, const InspectedSource& source) {
  Json json;
  json["gpu"] = or_null(source.gpu);
  json["recorded_as"] = text_or_null(source.gpu_name);
  json["basis"] = or_null(source.basis);
  json["step_seconds"] = finite(source.step_seconds);
  json["shortest_step_seconds"] =
      inspection.spread ? finite(inspection.spread->shortest_seconds) : Json();
  json["longest_step_seconds"] =
      inspection.spread ? finite(inspection.spread->longest_seconds) : Json();
  json["gpu_busy_share"] = finite(source.gpu_busy_share);
  json["floor_seconds"] = finite(source.floor_seconds);
  json["unchangeable_share"] =
      source.step_seconds > 0 ? finite(source.floor_seconds / source.step_seconds) : Json();
  json["notes"] = source.notes;
  if (!source.host_note.empty()) json["notes"].push_back(source.host_note);
  return json;
}

Json to_json(const LaunchStretch& stretch) {
  return {{"start_seconds", finite(stretch.start.value())},
          {"seconds", finite(stretch.length.value())},
          {"idle_seconds", finite(stretch.idle.value())},
          {"kernels", stretch.kernels},
          {"ops", stretch.ops}};
}

Json to_json(const CopyFacts& copy) {
  Json json;
  json["kind"] = word(copy.kind);
  json["pageable"] = copy.pageable;
  json["count"] = copy.use.count;
  json["bytes"] = finite(copy.use.bytes.value());
  json["seconds"] = finite(copy.use.total.value());
  json["exposed_seconds"] = finite(copy.use.exposed.value());
  json["hidden_seconds"] = finite(copy.use.hidden().value());
  json["on_kernel_stream"] = copy.use.on_kernel_stream;
  json["synchronous"] = copy.synchronous;
  json["awaited"] = copy.use.awaited;
  return json;
}

Json to_json(const Finding& finding) {
  return {{"change", word(finding.change)},
          {"saved_seconds", to_json(finding.saved_seconds)},
          {"seen", finding.seen},
          {"action", finding.action}};
}

Json to_json(const Missing& missing) {
  return {{"what", missing.what}, {"action", missing.action}};
}

Json to_json(const ClassTime& time) {
  Json bounds;
  if (time.seconds_by_bound) {
    for (const Bound bound : kBounds) {
      // Kernels have no other bounds: copies and the host stand in the timeline.
      if (bound == Bound::kCopy || bound == Bound::kHost) continue;
      bounds[std::string(word(bound))] =
          finite((*time.seconds_by_bound)[static_cast<std::size_t>(bound)]);
    }
  }
  return {{"class", word(time.kernel_class)},
          {"launches", finite(time.launches)},
          {"seconds", finite(time.seconds)},
          {"seconds_by_bound", std::move(bounds)}};
}

Json to_json(const FormatTime& format) {
  return {{"math", word_or_null(format.math)},
          {"seconds", finite(format.seconds)},
          {"tensor_cores", or_null(format.tensor_cores)}};
}

Json to_json(const KernelFacts& kernel) {
  Json json;
  json["name"] = kernel.name;
  json["op"] = text_or_null(kernel.op);
  json["class"] = word(kernel.kernel_class);
  json["shape"] = text_or_null(kernel.shape);
  json["math"] = word_or_null(kernel.math);
  json["launches_per_step"] = finite(kernel.launches_per_step);
  json["launch_seconds"] = finite(kernel.launch_seconds);
  json["seconds"] = finite(kernel.seconds);
  json["share"] = finite(kernel.share);
  json["bound"] = word_or_null(kernel.bound);
  json["work_from"] = word_or_null(kernel.basis);
  json["dram_bytes"] = to_json(kernel.dram_bytes);
  json["l2_bytes"] = to_json(kernel.l2_bytes);
  json["flops_per_second"] = finite_or_null(kernel.flops_per_second);
  json["bytes_per_second"] = finite_or_null(kernel.bytes_per_second);
  json["sustained_share"] = finite_or_null(kernel.sustained_share);
  return json;
}

Json to_json(const PlaceTime& place) {
  return {{"name", text_or_null(place.name)},
          {"depth", place.depth},
          {"launches", finite(place.launches)},
          {"seconds", finite(place.seconds)}};
}

Json to_json(const GpuFacts& gpu) {
  return {{"device", gpu.device},
          {"name", text_or_null(gpu.name)},
          {"kernel_launches", or_null(gpu.kernels)},
          {"streams", or_null(gpu.streams)},
          {"kernel_seconds", finite_or_null(gpu.kernel_seconds)},
          {"collective_seconds", finite_or_null(gpu.collective_seconds)},
          {"told", gpu.told}};
}

/// Lists of the plain structs above.
template <class T>
Json list(const std::vector<T>& items) {
  Json json = Json::array();
  for (const T& item : items) json.push_back(to_json(item));
  return json;
}

Json to_json(const StepTimeline& timeline) {
  Json parts;
  for (const StepPart part : kStepParts) {
    parts[std::string(word(part))] = finite(timeline.part(part).value());
  }
  Json stretches;
  stretches["count"] = timeline.stretches;
  stretches["kernels"] = timeline.stretch_kernels;
  stretches["seconds"] = finite(timeline.stretch_length.value());
  stretches["idle_seconds"] = finite(timeline.stretch_idle.value());
  stretches["longest"] = list(timeline.longest);
  Json json;
  json["step"] = text_or_null(timeline.name);
  json["seconds"] = finite(timeline.length.value());
  json["seconds_by_part"] = std::move(parts);
  json["kernels"] = timeline.kernels;
  json["graph_kernels"] = timeline.graph_kernels;
  json["streams"] = timeline.streams;
  json["synchronisations"] = timeline.synchronisations;
  json["collective_seconds"] = finite(timeline.collectives.value());
  json["hidden_collective_seconds"] = finite(timeline.collectives_hidden.value());
  json["launch_bound"] = std::move(stretches);
  return json;
}

Json to_json(const FormatUse& use) {
  return {{"matrix_seconds", finite(use.matrix_seconds)},
          {"tensor_core_seconds", finite_or_null(use.tensor_core_seconds)},
          {"convertible_seconds", finite_or_null(use.convertible_seconds)},
          {"formats", list(use.formats)}};
}

}  // namespace

std::string inspection_json(const Inspection& inspection) {
  Json json;
  json["schema"] = "uplift.inspect/1";
  json["tool"] = to_json(inspection.tool);
  json["workload"] = to_json(inspection.workload);
  json["source"] = to_json(inspection, inspection.source);
  json["timeline"] = to_json(inspection.timeline);
  json["findings"] = list(inspection.findings);
  json["missing"] = list(inspection.missing);
  json["kernel_seconds"] = finite(inspection.kernel_seconds);
  json["classes"] = list(inspection.classes);
  json["formats"] = to_json(inspection.formats);
  json["copies"] = list(inspection.copies);
  json["ops"] = list(inspection.ops);
  json["modules"] = list(inspection.modules);
  json["module_types"] = list(inspection.module_types);
  json["annotations"] = list(inspection.annotations);
  json["gpus"] = list(inspection.gpus);
  json["kernels"] = list(inspection.kernels);
  return dump(json);
}

}  // namespace uplift::report
