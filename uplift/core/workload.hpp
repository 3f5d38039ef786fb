// SPDX-License-Identifier: Apache-2.0
// What a recording holds once it is read: the distinct kernels and copies of a step, how often and
// how long they ran, and the order of one representative step. Readers fill it; predictors never
// learn which file it came from. Memory follows distinct kernels plus one step, not file size.
#pragma once

#include "uplift/core/kernel_class.hpp"
#include "uplift/core/math.hpp"
#include "uplift/core/op_shape.hpp"
#include "uplift/core/quantity.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace uplift {

/// A problem that did not stop the reading: what was seen, what was assumed, what changes it.
using Warning = std::string;

/// The device a recording was made on, as the profiler names it. 0: not recorded.
struct RecordedDevice {
  std::string name;
  int sm_count = 0;
  int compute_major = 0;
  int compute_minor = 0;
  std::int64_t memory_bytes = 0;
};

struct LaunchGeometry {
  std::array<std::int64_t, 3> grid = {0, 0, 0};   ///< blocks; 0: not recorded
  std::array<std::int64_t, 3> block = {0, 0, 0};  ///< threads
  int registers_per_thread = 0;
  std::int64_t shared_bytes = 0;
  bool operator==(const LaunchGeometry&) const = default;

  [[nodiscard]] std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  [[nodiscard]] std::int64_t threads_per_block() const { return block[0] * block[1] * block[2]; }
};

enum class FrameKind : std::uint8_t { kAnnotation, kModule, kOp };

/// One place in the program that launched work: a frame under the frame that called it. Frames with
/// the same name under the same parent are one.
struct StackFrame {
  FrameKind kind = FrameKind::kOp;
  std::string name;           ///< `aten::linear`, `ResNet_0`, or the text of an annotation
  std::int32_t parent = -1;   ///< index into Workload::stacks, smaller than its own; -1: none
  std::int64_t launches = 0;  ///< kernels launched right here, not by frames below
  Seconds total;              ///< of those kernels; sums over the complete steps, as for kernels
};

/// Kernels with the same name, launch geometry, operator and shapes. Counts and times are sums over
/// the complete steps of the recording.
struct DistinctKernel {
  std::string name;
  std::string op;  ///< enclosing framework operator, or empty
  KernelClass kernel_class = KernelClass::kOther;
  std::optional<Math> math;  ///< empty: not told by name or operator
  OpShape shape;             ///< set on the kernel that does the operator's arithmetic
  double element_bytes = 0;  ///< storage per element; 0: unknown
  LaunchGeometry launch;
  std::int64_t launches = 0;
  Seconds total;

  [[nodiscard]] Seconds mean() const { return total / static_cast<double>(launches); }
};

enum class CopyKind { kHostToDevice, kDeviceToHost, kDeviceToDevice, kPeer, kSet };

[[nodiscard]] constexpr std::string_view word(CopyKind kind) {
  constexpr std::array<std::string_view, 5> kWords = {"h2d", "d2h", "d2d", "p2p", "set"};
  return kWords[static_cast<std::size_t>(kind)];
}

/// Copies and sets of one kind; sums over the complete steps.
struct DistinctCopy {
  CopyKind kind = CopyKind::kDeviceToDevice;
  bool pageable = false;  ///< host memory not pinned
  std::int64_t count = 0;
  Bytes bytes;
  Seconds total;
  bool synchronous = false;  ///< asked for by a call that waits, such as cudaMemcpy
};

enum class EventKind : std::uint8_t { kKernel, kCopy, kSync };

inline constexpr std::int64_t kUnknownTime = INT64_MIN;

/// One thing of the representative step, in host order. Times are ns from the start of the step.
struct StepEvent {
  EventKind kind = EventKind::kKernel;
  std::int32_t item = -1;   ///< index into Workload::kernels or ::copies; -1 for a synchronisation
  std::int32_t stream = 0;  ///< dense stream number; for a synchronisation -1 means all streams
  std::int64_t copy_bytes = 0;
  std::int64_t host_start = kUnknownTime;  ///< the API call on the host
  std::int64_t host_end = kUnknownTime;
  std::int64_t device_start = kUnknownTime;
  std::int64_t device_end = kUnknownTime;
  std::int32_t frame = -1;  ///< index into Workload::stacks: who asked for it; -1: not recorded
};

/// The representative step: the complete one whose length is nearest the median.
struct Step {
  std::string name;
  Seconds length;  ///< as Workload::step_length, of this step
  std::int64_t host_tail =
      0;  ///< ns of the host's work after its last call, to the end of the step
  std::vector<StepEvent> events;
};

/// Length of one complete step, and how long the device was busy in it.
struct StepTime {
  Seconds length;
  Seconds busy;
};

/// What one device did in the whole recording.
struct DeviceActivity {
  int device = 0;  ///< as the profiler numbers it
  std::int64_t kernels = 0;
  int streams = 0;
  Seconds kernel_time;      ///< summed over kernels; of overlapping ones, each counts
  Seconds collective_time;  ///< of collectives between GPUs, part of kernel_time
};

/// What the recording has and lacks.
struct RecordingFacts {
  bool shapes = false;   ///< operators carry the shapes of their arguments
  bool modules = false;  ///< Python modules are recorded (with_stack or with_modules)
  bool memory = false;   ///< events of the framework's allocator are recorded
  int processes = 0;     ///< host processes with operators or calls
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::int64_t damaged_events = 0;    ///< could not be read and were left out
  std::int64_t unlinked_kernels = 0;  ///< no call that launched them is recorded
  bool steps_whole = true;  ///< false: the file breaks off, and no step is shown to be all there
  std::optional<bool> shapes_asked;     ///< the profiler was told to record shapes
  std::optional<std::uint64_t> cut_at;  ///< byte of the (decompressed) file where it breaks off
};

struct Workload {
  std::string kind;       ///< `pytorch-trace`, …
  std::string framework;  ///< `PyTorch`, or empty
  std::vector<RecordedDevice> devices;
  int device = 0;     ///< the device of `devices` whose kernels are told here
  int gpus_seen = 0;  ///< devices with kernels in the recording

  std::int64_t steps = 0;  ///< complete steps; 0: none marked, the whole span stands for one
  Seconds step_length;     ///< wall-clock time of a step: median of the complete ones
  Seconds busy;            ///< of a step: at least one kernel, copy or set on the device
  std::int64_t kernel_launches = 0;  ///< in the whole recording, on all devices

  std::vector<DistinctKernel> kernels;  ///< by falling total time
  std::vector<DistinctCopy> copies;
  std::vector<StackFrame> stacks;    ///< parents before children
  std::vector<StepTime> step_times;  ///< the complete steps in order; one for an unmarked span
  std::vector<DeviceActivity> device_activity;  ///< devices with kernels, by number
  RecordingFacts recording;
  Step step;
  std::optional<Bytes> memory_reserved;  ///< most that the framework's allocator held, if recorded
  std::vector<Warning> warnings;

  /// Steps that the sums above run over: `steps`, or 1 for an unmarked span.
  [[nodiscard]] double step_count() const { return steps > 0 ? static_cast<double>(steps) : 1.0; }
};

}  // namespace uplift
