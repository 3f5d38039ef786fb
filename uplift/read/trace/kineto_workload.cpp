// SPDX-License-Identifier: Apache-2.0
// Assembly: choose the device, group the kernels, order the step, say what was missing.
#include "uplift/read/trace/kineto_workload.hpp"

#include "uplift/read/trace/kernel_name.hpp"
#include "uplift/read/trace/kineto_kernels.hpp"
#include "uplift/read/trace/kineto_links.hpp"
#include "uplift/read/trace/kineto_step_events.hpp"
#include "uplift/read/trace/kineto_steps.hpp"
#include "uplift/read/trace/trace_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace uplift::read {
namespace {

bool is_amd(const KinetoRecords& records) {
  for (const RecordedDevice& device : records.devices) {
    if (device.name.starts_with("AMD") || device.name.find("Radeon") != std::string::npos) {
      return true;
    }
  }
  return std::any_of(records.work.begin(), records.work.end(), [&](const WorkSignature& work) {
    return work.kind == DeviceKind::kKernel && is_amd_kernel(records.text(work.name));
  });
}

[[nodiscard]] Result<void> check_usable(const KinetoRecords& records,
                                        const std::optional<TraceBreak>& broken,
                                        const std::string& path) {
  if (is_amd(records)) {
    std::string name = "an AMD GPU";
    for (const RecordedDevice& device : records.devices) {
      if (!device.name.empty()) name = device.name;
    }
    return failure(ErrorKind::kUnsupported, path,
                   fmt::format("the recording is of {}; uplift reads NVIDIA recordings only", name),
                   "record the same job on an NVIDIA GPU");
  }
  const bool any_kernel =
      std::any_of(records.streams.begin(), records.streams.end(),
                  [](const DeviceStream& stream) { return stream.kernels > 0; });
  if (any_kernel) return {};
  if (broken) return failure(broken->error);
  if (records.counts.events == 0) {
    return failure(ErrorKind::kUnsupported, path, "holds no profiler events",
                   "give the file that torch.profiler's export_chrome_trace wrote");
  }
  if (records.counts.counters > 0) {
    return failure(ErrorKind::kUnsupported, path,
                   "holds performance counters (cuda_profiler_range) but no kernel times",
                   "record once more without the counters, with ProfilerActivity.CUDA");
  }
  if (records.counts.damaged > 0) {
    return failure(ErrorKind::kSyntax, path,
                   fmt::format("no GPU kernels, and {} of {} events have times or text that cannot "
                               "be read",
                               records.counts.damaged, records.counts.events),
                   "record again, or export the trace again");
  }
  return failure(
      ErrorKind::kUnsupported, path,
      fmt::format("no GPU kernels among {} events: CPU work only", records.counts.events),
      "record with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]");
}

/// What each device with kernels did, by number.
std::vector<DeviceActivity> describe_devices(const KinetoRecords& records) {
  std::map<int, DeviceActivity> devices;
  for (const DeviceStream& stream : records.streams) {
    if (stream.kernels == 0) continue;
    DeviceActivity& device = devices[stream.device];
    device.device = stream.device;
    device.kernels += stream.kernels;
    ++device.streams;
    device.kernel_time += Seconds(stream.kernel_ns * 1e-9);
    device.collective_time += Seconds(stream.collective_ns * 1e-9);
  }
  std::vector<DeviceActivity> list;
  list.reserve(devices.size());
  for (const auto& [number, device] : devices) list.push_back(device);
  return list;
}

RecordingFacts describe_recording(const KinetoRecords& records, const KinetoLinks& links,
                                  const std::optional<TraceBreak>& broken) {
  RecordingFacts facts;
  facts.shapes = records.shapes_recorded;
  facts.modules = records.modules_recorded;
  facts.memory = records.most_reserved_bytes.has_value();
  std::set<StringId> processes;
  for (const HostThread& thread : records.threads) processes.insert(thread.process);
  facts.processes = static_cast<int>(processes.size());
  facts.rank = records.rank;
  facts.world_size = records.world_size;
  facts.shapes_asked = records.shapes_asked;
  facts.damaged_events = records.counts.damaged;
  for (const Activity& activity : links.activities) {
    const bool kernel = records.work[activity.work].kind == DeviceKind::kKernel;
    if (kernel && activity.host_start == kUnknownTime) ++facts.unlinked_kernels;
  }
  if (broken) facts.cut_at = broken->offset;
  return facts;
}

void add_warnings(const KinetoRecords& records, const StepTimeline& timeline,
                  const std::optional<TraceBreak>& broken, Workload& workload) {
  if (broken) {
    workload.warnings.push_back(
        fmt::format("the recording breaks off at byte {} of its text ({}): {}", broken->offset,
                    broken->error.seen,
                    broken->events_whole ? "all its events stand before that and are used"
                    : timeline.whole     ? "only the steps before that which are whole are used"
                                     : "no step is shown to be whole, so kernels are missing and "
                                       "what is said of a step may be far off"));
  }
  if (records.counts.damaged > 0) {
    workload.warnings.push_back(fmt::format("{} of {} events could not be read and were left out",
                                            records.counts.damaged, records.counts.events));
  }
  if (!timeline.marked) {
    workload.warnings.push_back(
        "no complete steps are marked: the whole recording stands for one step; call prof.step() "
        "at the end of each iteration to have steps told apart");
  }
  if (timeline.marked && timeline.incomplete > 0) {
    workload.warnings.push_back(
        fmt::format("{} marked step{} left out: the recording holds only part of {} kernels",
                    timeline.incomplete, timeline.incomplete == 1 ? " was" : "s were",
                    timeline.incomplete == 1 ? "its" : "their"));
  }
  if (!records.shapes_recorded && records.shapes_asked.value_or(false)) {
    workload.warnings.push_back(
        "no operator with shapes is in the recording, although they were asked for (the kernels of "
        "a "
        "CUDA graph have none): kernels are judged by name and launch geometry, with wider "
        "intervals");
  } else if (!records.shapes_recorded) {
    workload.warnings.push_back(
        "no tensor shapes were recorded: kernels are judged by name and launch geometry, with "
        "wider "
        "intervals; record with record_shapes=True");
  }
  if (workload.gpus_seen > 1) {
    workload.warnings.push_back(
        fmt::format("{} GPUs have kernels in the recording: the answer is for GPU {}, the busiest",
                    workload.gpus_seen, workload.device));
  }
}

}  // namespace

Result<Workload> read_kineto(ByteSource& source, const std::string& path, unsigned threads) {
  KinetoRecords records;
  auto broken = read_records(source, path, threads, records);
  if (!broken) return failure(broken.error());
  if (auto usable = check_usable(records, *broken, path); !usable) return failure(usable.error());

  Workload workload;
  workload.kind = "pytorch-trace";
  workload.framework = "PyTorch";
  workload.devices = records.devices;
  workload.device_activity = describe_devices(records);
  workload.gpus_seen = static_cast<int>(workload.device_activity.size());
  const auto busiest =
      std::max_element(workload.device_activity.begin(), workload.device_activity.end(),
                       [](const DeviceActivity& a, const DeviceActivity& b) {
                         return a.kernel_time < b.kernel_time;
                       });
  workload.device = busiest->device;
  for (const DeviceActivity& device : workload.device_activity) {
    workload.kernel_launches += device.kernels;
  }
  if (records.most_reserved_bytes) {
    workload.memory_reserved = Bytes(static_cast<double>(*records.most_reserved_bytes));
  }

  KinetoLinks links = link_records(records, workload.device);
  const bool broken_off = broken->has_value() && !(*broken)->events_whole;
  const StepTimeline timeline = build_steps(records, links, broken_off);
  records.drop_logs();
  if (timeline.median_length <= 0) {
    return failure(ErrorKind::kUnsupported, path, "its kernels and steps have no duration",
                   "record again and let the profiler finish");
  }
  workload.steps = timeline.marked ? static_cast<std::int64_t>(timeline.steps.size()) : 0;
  workload.step_length = from_nanoseconds(timeline.median_length);
  Seconds busy;
  for (const RecordedStep& step : timeline.steps) {
    workload.step_times.push_back({from_nanoseconds(step.length), from_nanoseconds(step.busy)});
    busy += from_nanoseconds(step.busy);
  }
  // The median step may be shorter than the mean one.
  workload.busy = std::min(busy / workload.step_count(), workload.step_length);

  workload.recording = describe_recording(records, links, *broken);
  workload.recording.steps_whole = timeline.whole;
  const StepItems items = collect_items(records, links, timeline, workload);
  workload.step = order_step(records, links, timeline, items);
  add_warnings(records, timeline, *broken, workload);
  return workload;
}

}  // namespace uplift::read
