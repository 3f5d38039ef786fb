// SPDX-License-Identifier: Apache-2.0
// Finds the card, then puts the parts of the answer together.
#include "uplift/decide/inspect.hpp"

#include "uplift/decide/findings.hpp"
#include "uplift/decide/kernel_facts.hpp"
#include "uplift/decide/missing.hpp"
#include "uplift/decide/source_card.hpp"
#include "uplift/decide/stack_times.hpp"
#include "uplift/predict/step_prediction.hpp"
#include "uplift/predict/step_timeline.hpp"

#include <algorithm>

namespace uplift::decide {
namespace {

using predict::Card;

/// The card, or why there is none.
Result<Card> find_card(const Workload& workload, const InspectRequest& request,
                       const catalog::Catalog& catalog, const predict::Parameters& parameters) {
  auto resolved = resolve_source(workload, request.from, request.path, catalog);
  if (!resolved) return failure(resolved.error());
  return predict::build_card(*resolved->gpu, resolved->note, request.basis, parameters,
                             find_profile(request.profiles, *resolved->gpu));
}

InspectedSource describe_source(const Workload& workload, const Card* card) {
  InspectedSource source;
  const auto device = static_cast<std::size_t>(std::max(0, workload.device));
  if (card != nullptr) {
    source.gpu = card->gpu->id;
    source.gpu_name = card->gpu->name;
    source.basis = std::string(word(card->model.basis));
    if (!card->note.empty()) source.notes.push_back(card->note);
  } else if (device < workload.devices.size()) {
    source.gpu_name = workload.devices[device].name;
  }
  source.step_seconds = workload.step_length.value();
  source.gpu_busy_share = source.step_seconds > 0 ? workload.busy / workload.step_length : 0.0;
  const Seconds floor = predict::floor_of(workload);
  source.floor_seconds = std::min(floor, workload.step_length).value();
  source.host_note = note_host_bound(floor, workload.step_length);
  if (auto note = note_replay(predict::replay_scale(workload)); !note.empty()) {
    source.notes.push_back(std::move(note));
  }
  return source;
}

std::optional<StepSpread> step_spread(const Workload& workload) {
  if (workload.step_times.size() < 2) return std::nullopt;
  const auto [least, most] =
      std::minmax_element(workload.step_times.begin(), workload.step_times.end(),
                          [](const StepTime& a, const StepTime& b) { return a.length < b.length; });
  return StepSpread{least->length.value(), most->length.value()};
}

std::vector<GpuFacts> list_gpus(const Workload& workload) {
  const auto name_of = [&](int device) {
    const auto index = static_cast<std::size_t>(device);
    return device >= 0 && index < workload.devices.size() ? workload.devices[index].name : "";
  };
  std::vector<GpuFacts> gpus;
  for (const DeviceActivity& activity : workload.device_activity) {
    gpus.push_back({activity.device, name_of(activity.device), activity.kernels, activity.streams,
                    activity.kernel_time.value(), activity.collective_time.value(),
                    activity.device == workload.device});
  }
  if (gpus.empty()) {
    GpuFacts told;
    told.device = workload.device;
    told.name = name_of(workload.device);
    told.told = true;
    gpus.push_back(std::move(told));
  }
  return gpus;
}

}  // namespace

Result<Inspection> inspect(const Workload& workload, const InspectRequest& request,
                           const catalog::Catalog& catalog, const predict::Parameters& parameters) {
  const Result<Card> found = find_card(workload, request, catalog, parameters);
  if (!found && request.from) return failure(found.error());
  const Card* card = found ? &*found : nullptr;

  Inspection inspection;
  inspection.workload = describe_workload(workload);
  if (card == nullptr) {
    Error error = found.error();
    error.where.clear();
    error.seen += ", so no bounds and no rates are told";
    inspection.workload.warnings.push_back(error.line());
  } else if (request.from) {
    auto note = note_other_card(workload, *card->gpu, catalog);
    if (!note.empty()) inspection.workload.warnings.push_back(std::move(note));
  }
  inspection.source = describe_source(workload, card);
  inspection.spread = step_spread(workload);
  inspection.timeline = predict::describe_timeline(workload);
  for (const CopyUse& use : inspection.timeline.copies) {
    const DistinctCopy& copy = workload.copies[use.item];
    inspection.copies.push_back(
        {copy.kind, copy.pageable, copy.synchronous || use.blocks_host, use});
  }
  inspection.findings = find_savings(workload, inspection.timeline, card, parameters);
  inspection.missing = find_missing(workload);
  inspection.kernels = describe_kernels(workload, card, parameters);
  for (const KernelFacts& kernel : inspection.kernels) inspection.kernel_seconds += kernel.seconds;
  inspection.classes = class_times(inspection.kernels);
  inspection.formats =
      format_use(inspection.kernels,
                 card == nullptr ? nullptr : catalog.formats(card->gpu->compute_capability));
  inspection.ops = op_times(workload);
  inspection.modules = stack_times(workload, FrameKind::kModule);
  inspection.module_types = module_type_times(workload);
  inspection.annotations = stack_times(workload, FrameKind::kAnnotation);
  inspection.gpus = list_gpus(workload);
  return inspection;
}

}  // namespace uplift::decide
