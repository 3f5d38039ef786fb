// SPDX-License-Identifier: Apache-2.0
// The events of a PyTorch profiler trace that matter to a prediction, as flat records; everything
// textual is a StringId. Filled by kineto_events.cpp, linked into a Workload by
// kineto_workload.cpp.
#pragma once

#include "uplift/core/workload.hpp"
#include "uplift/read/string_pool.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace uplift::read {

inline constexpr std::int64_t kNoId = -1;

/// A framework operator on a host thread. Times are ns of the trace's own clock.
struct OpRecord {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t external_id = kNoId;
  std::uint32_t thread = 0;
  StringId name = 0;
  StringId dims = 0;      ///< `Input Dims`, as JSON text
  StringId types = 0;     ///< `Input type`
  StringId concrete = 0;  ///< `Concrete Inputs`
};

enum class CallKind : std::uint8_t { kLaunch, kCopy, kSet, kSync };

/// A CUDA runtime or driver call that launches work or waits for it.
struct CallRecord {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t correlation = kNoId;
  std::uint32_t thread = 0;
  CallKind kind = CallKind::kLaunch;
  bool whole_device = false;  ///< a synchronisation of the device, not of one stream
};

enum class DeviceKind : std::uint8_t { kKernel, kCopy, kSet };

/// Something that ran on a device.
struct DeviceRecord {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t correlation = kNoId;
  std::int64_t external_id = kNoId;
  std::int64_t bytes = 0;  ///< of a copy or set
  std::int32_t device = 0;
  std::int32_t stream = 0;
  StringId name = 0;
  std::uint32_t geometry = 0;  ///< index into KinetoRecords::geometries
  DeviceKind kind = DeviceKind::kKernel;
};

/// A `ProfilerStep#n` on the host.
struct StepMarker {
  std::int64_t start = 0;
  std::int64_t end = 0;
  StringId name = 0;
};

struct KinetoRecords {
  StringPool strings;
  std::vector<OpRecord> ops;
  std::vector<CallRecord> calls;
  std::vector<DeviceRecord> device;
  std::vector<StepMarker> steps;
  std::vector<LaunchGeometry> geometries;
  std::vector<RecordedDevice> devices;
  std::optional<std::int64_t> most_reserved_bytes;
  std::int64_t events = 0;
  std::int64_t damaged_events = 0;
  std::int64_t counter_events = 0;      ///< cuda_profiler_range: counters without kernels
  bool shapes_recorded = false;         ///< at least one operator carries shapes
  std::int64_t first_time = INT64_MAX;  ///< of host and device work
  std::int64_t last_time = INT64_MIN;
};

}  // namespace uplift::read
