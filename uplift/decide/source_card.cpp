// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/source_card.hpp"

#include <fmt/format.h>

#include <cmath>

namespace uplift::decide {
namespace {

/// A MIG instance carries the name of its card; its SM count gives it away.
[[nodiscard]] Result<void> check_whole_card(const RecordedDevice& device, const Gpu& gpu,
                                            const std::string& path) {
  constexpr double kMostDifference = 0.1;
  if (device.sm_count <= 0 || !gpu.sm_count ||
      std::abs(device.sm_count / gpu.sm_count->value - 1.0) <= kMostDifference) {
    return {};
  }
  return failure(ErrorKind::kUnsupported, path,
                 fmt::format("was recorded on {} SMs of {}, which has {:.0f}: a MIG instance or a "
                             "board that is not in the catalog",
                             device.sm_count, gpu.id, gpu.sm_count->value),
                 "name a card with --from to take it as that one");
}

/// The device that the answer is about; null if the recording does not name it.
const RecordedDevice* named_device(const Workload& workload) {
  const auto index = static_cast<std::size_t>(workload.device);
  if (index >= workload.devices.size() || workload.devices[index].name.empty()) return nullptr;
  return &workload.devices[index];
}

catalog::DeviceHints hints_of(const RecordedDevice& device) {
  catalog::DeviceHints hints;
  hints.name = device.name;
  if (device.sm_count > 0) hints.sm_count = device.sm_count;
  if (device.memory_bytes > 0) hints.memory_bytes = static_cast<double>(device.memory_bytes);
  if (device.compute_major > 0) {
    hints.compute_capability = ComputeCapability{device.compute_major, device.compute_minor};
  }
  return hints;
}

}  // namespace

Result<catalog::Resolution> resolve_source(const Workload& workload,
                                           const std::optional<std::string>& from,
                                           const std::string& path,
                                           const catalog::Catalog& catalog) {
  if (from) return catalog.resolve(*from);
  const RecordedDevice* named = named_device(workload);
  if (named == nullptr) {
    return failure(ErrorKind::kUnsupported, path,
                   "the recording does not name the GPU it was made on",
                   "name it with --from, such as --from a100-sxm4-80gb");
  }
  const RecordedDevice& device = *named;
  auto resolved = catalog.resolve_device(hints_of(device));
  if (!resolved) {
    return failure(
        ErrorKind::kUnsupported, path,
        fmt::format("the recording is of a GPU that is not in the catalog ({})", device.name),
        "name the nearest with --from, or describe it with --gpu-file");
  }
  if (auto whole = check_whole_card(device, *resolved->gpu, path); !whole) {
    return failure(whole.error());
  }
  return resolved;
}

WorkloadFacts describe_workload(const Workload& workload) {
  return {workload.kind,
          workload.framework,
          workload.steps,
          workload.kernel_launches,
          static_cast<std::int64_t>(workload.kernels.size()),
          workload.warnings,
          workload.recording.rank,
          workload.recording.world_size,
          workload.recording.steps_whole};
}

std::string note_host_bound(Seconds floor, Seconds step) {
  constexpr double kHostBound = 0.7;
  if (floor <= step * kHostBound) return {};
  return "profilers lengthen the host's work, so a step that waits for the host is shorter without "
         "one; time it once without the profiler";
}

std::string note_replay(double scale) {
  constexpr double kNoticeableMiss = 0.1;
  if (scale <= 0 || std::abs(std::log(scale)) <= kNoticeableMiss) return {};
  return fmt::format(
      "replaying the recorded step gives {:.0f} % of its measured time; predictions are scaled by "
      "the rest and their intervals widened by it",
      100.0 / scale);
}

std::string note_other_card(const Workload& workload, const Gpu& taken,
                            const catalog::Catalog& catalog) {
  const RecordedDevice* named = named_device(workload);
  if (named == nullptr) return {};
  const auto resolved = catalog.resolve_device(hints_of(*named));
  if (resolved && resolved->gpu == &taken) return {};
  return fmt::format("the recording names {}; taken as {} as --from says", named->name, taken.id);
}

}  // namespace uplift::decide
