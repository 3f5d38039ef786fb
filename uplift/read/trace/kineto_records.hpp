// SPDX-License-Identifier: Apache-2.0
// The events of a PyTorch profiler trace that matter to a prediction, batch by batch: a packed log
// per host thread and per device stream, and tables of the distinct things that they name. Linked
// by kineto_links.cpp.
#pragma once

#include "uplift/core/kernel_class.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/read/string_pool.hpp"
#include "uplift/read/trace/event_batch.hpp"
#include "uplift/read/trace/record_log.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uplift::read {

/// A host frame as all calls with the same name and argument shapes share it.
struct FrameSignature {
  FrameKind kind = FrameKind::kOp;
  StringId name = 0;
  StringId dims = 0;      ///< `Input Dims`, as JSON text
  StringId types = 0;     ///< `Input type`
  StringId concrete = 0;  ///< `Concrete Inputs`
  bool operator==(const FrameSignature&) const = default;
};

/// A kernel, copy or set as all launches with the same name and geometry share it.
struct WorkSignature {
  DeviceKind kind = DeviceKind::kKernel;
  StringId name = 0;
  LaunchGeometry launch;
  bool collective = false;
};

/// A call of a host frame.
struct FrameRecord {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t external_id = 0;
  std::uint32_t signature = 0;

  void pack(PackedBytes& out, const FrameRecord& before) const;
  void unpack(PackedReader& in, const FrameRecord& before);
  /// Of two that start together, the longer one is the outer one.
  bool operator<(const FrameRecord& other) const {
    return start != other.start ? start < other.start : end > other.end;
  }
};

/// A CUDA call.
struct CallRecord {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t correlation = 0;
  CallTraits traits;

  void pack(PackedBytes& out, const CallRecord& before) const;
  void unpack(PackedReader& in, const CallRecord& before);
  bool operator<(const CallRecord& other) const { return start < other.start; }
};

/// Something that ran on a device.
struct WorkRecord {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t correlation = 0;
  std::int64_t external_id = 0;
  std::int64_t bytes = 0;
  std::uint32_t signature = 0;

  void pack(PackedBytes& out, const WorkRecord& before) const;
  void unpack(PackedReader& in, const WorkRecord& before);
  bool operator<(const WorkRecord& other) const { return start < other.start; }
};

struct HostThread {
  StringId process = 0;
  StringId thread = 0;
  RecordLog<FrameRecord> frames;
  RecordLog<CallRecord> calls;
};

/// One stream of one device.
struct DeviceStream {
  std::int32_t device = 0;
  std::int32_t stream = 0;
  RecordLog<WorkRecord> work;
  std::int64_t kernels = 0;
  double kernel_ns = 0;  // no sum of integers is safe from a damaged file
  double collective_ns = 0;
};

/// A `ProfilerStep#n` on the host.
struct StepMarker {
  std::int64_t start = 0;
  std::int64_t end = 0;
  StringId name = 0;
};

class KinetoRecords {
 public:
  /// Adds a batch; the order of batches is the order of the file.
  void take(const EventBatch& batch);
  void take_device(std::size_t id, const RecordedDevice& device);

  /// Frees what only linking needs.
  void drop_logs();

  [[nodiscard]] const std::string& text(StringId id) const { return strings_.text(id); }

  std::vector<HostThread> threads;
  std::vector<DeviceStream> streams;
  std::vector<FrameSignature> frames;
  std::vector<WorkSignature> work;
  std::vector<StepMarker> steps;
  std::vector<RecordedDevice> devices;
  std::optional<std::int64_t> most_reserved_bytes;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::optional<bool> shapes_asked;  ///< `record_shapes` of the profiler
  EventBatch::Counts counts;
  bool shapes_recorded = false;         ///< at least one operator carries shapes
  bool modules_recorded = false;        ///< at least one Python module is there
  std::int64_t first_time = INT64_MAX;  ///< of host and device work
  std::int64_t last_time = INT64_MIN;

 private:
  /// Numbers of a batch's texts in the whole recording, found where they are first met.
  struct BatchNumbers {
    std::vector<std::uint32_t> frames, work, threads;
  };
  void take_record(const EventRecord& record, const EventBatch& batch, BatchNumbers& numbers);
  std::uint32_t frame_number(const FrameText& text);
  std::uint32_t work_number(const WorkText& text);
  std::uint32_t thread_number(const ThreadText& text);
  DeviceStream& stream_of(const EventRecord& record);
  StringId intern_name(std::string_view raw);

  struct SignatureHash {
    std::size_t operator()(const FrameSignature& signature) const;
  };
  using Launch = std::tuple<DeviceKind, StringId, std::array<std::int64_t, 3>,
                            std::array<std::int64_t, 3>, int, std::int64_t>;
  StringPool strings_;
  std::unordered_map<FrameSignature, std::uint32_t, SignatureHash> frame_numbers_;
  std::map<Launch, std::uint32_t> work_numbers_;
  std::map<std::pair<StringId, StringId>, std::uint32_t> thread_numbers_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> stream_numbers_;
  std::size_t last_stream_ = 0;
};

}  // namespace uplift::read
