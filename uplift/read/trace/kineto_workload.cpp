// SPDX-License-Identifier: Apache-2.0
// Assembly: choose the device, group the kernels, order the step, say what was missing.
#include "uplift/read/trace/kineto_workload.hpp"

#include "uplift/read/trace/event_splitter.hpp"
#include "uplift/read/trace/kernel_name.hpp"
#include "uplift/read/trace/kineto_events.hpp"
#include "uplift/read/trace/kineto_kernels.hpp"
#include "uplift/read/trace/kineto_links.hpp"
#include "uplift/read/trace/kineto_step_events.hpp"
#include "uplift/read/trace/kineto_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace uplift::read {
namespace {

bool is_amd(const KinetoRecords& records) {
  for (const RecordedDevice& device : records.devices) {
    if (device.name.starts_with("AMD") || device.name.find("Radeon") != std::string::npos) {
      return true;
    }
  }
  return std::any_of(records.device.begin(), records.device.end(), [&](const DeviceRecord& record) {
    return record.kind == DeviceKind::kKernel && is_amd_kernel(records.strings.text(record.name));
  });
}

[[nodiscard]] Result<void> check_usable(const KinetoRecords& records, const std::string& path) {
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
      std::any_of(records.device.begin(), records.device.end(),
                  [](const DeviceRecord& record) { return record.kind == DeviceKind::kKernel; });
  if (any_kernel) return {};
  if (records.events == 0) {
    return failure(ErrorKind::kUnsupported, path, "holds no profiler events",
                   "give the file that torch.profiler's export_chrome_trace wrote");
  }
  if (records.counter_events > 0) {
    return failure(ErrorKind::kUnsupported, path,
                   "holds performance counters (cuda_profiler_range) but no kernel times",
                   "record once more without the counters, with ProfilerActivity.CUDA");
  }
  if (records.damaged_events > 0) {
    return failure(ErrorKind::kSyntax, path,
                   fmt::format("no GPU kernels, and {} of {} events have times or text that cannot "
                               "be read",
                               records.damaged_events, records.events),
                   "record again, or export the trace again");
  }
  return failure(ErrorKind::kUnsupported, path,
                 fmt::format("no GPU kernels among {} events: CPU work only", records.events),
                 "record with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]");
}

/// The device whose kernels took the most time, and how many devices had any.
std::pair<std::int32_t, int> choose_device(const KinetoRecords& records) {
  std::map<std::int32_t, double> busy;  // ns; no sum of integers is safe from a damaged file
  for (const DeviceRecord& record : records.device) {
    if (record.kind != DeviceKind::kKernel) continue;
    busy[record.device] += static_cast<double>(record.end - record.start);
  }
  const auto best = std::max_element(
      busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return {best->first, static_cast<int>(busy.size())};
}

void add_warnings(const KinetoRecords& records, const StepTimeline& timeline, Workload& workload) {
  if (records.damaged_events > 0) {
    workload.warnings.push_back(fmt::format("{} of {} events could not be read and were left out",
                                            records.damaged_events, records.events));
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
  if (!records.shapes_recorded) {
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

Result<Workload> read_kineto(ByteSource& source, const std::string& path) {
  KinetoRecords records;
  KinetoEvents sink(records);
  if (auto done = split_trace(source, path, sink); !done) return failure(done.error());
  if (auto usable = check_usable(records, path); !usable) return failure(usable.error());

  Workload workload;
  workload.kind = "pytorch-trace";
  workload.framework = "PyTorch";
  workload.devices = records.devices;
  std::tie(workload.device, workload.gpus_seen) = choose_device(records);
  workload.kernel_launches =
      std::count_if(records.device.begin(), records.device.end(),
                    [](const DeviceRecord& record) { return record.kind == DeviceKind::kKernel; });
  if (records.most_reserved_bytes) {
    workload.memory_reserved = Bytes(static_cast<double>(*records.most_reserved_bytes));
  }

  const KinetoLinks links = link_records(records);
  const StepTimeline timeline = build_steps(records, links, workload.device);
  if (timeline.median_length <= 0) {
    return failure(ErrorKind::kUnsupported, path, "its kernels and steps have no duration",
                   "record again and let the profiler finish");
  }
  workload.steps = timeline.marked ? static_cast<std::int64_t>(timeline.steps.size()) : 0;
  workload.step_length = from_nanoseconds(timeline.median_length);
  Seconds busy;
  for (const RecordedStep& step : timeline.steps) busy += from_nanoseconds(step.busy);
  workload.busy = busy / workload.step_count();

  const StepItems items = collect_items(records, links, timeline, workload);
  workload.step = order_step(records, links, timeline, items);
  add_warnings(records, timeline, workload);
  return workload;
}

}  // namespace uplift::read
