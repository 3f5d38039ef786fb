// SPDX-License-Identifier: Apache-2.0
// The answer of `inspect` as plain data: decide/ fills it, report/ draws it. Field for field the
// schema uplift.inspect/1 (docs/formats.md); an empty optional is JSON null. Times are of one step.
#pragma once

#include "uplift/core/advice.hpp"
#include "uplift/core/step_timeline.hpp"
#include "uplift/core/workload.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uplift {

/// A change to the program, and nothing to buy.
enum class Change { kOverlap, kGraphs, kNoSync, kTf32, kAmpFp16, kAmpBf16, kCommOverlap };

[[nodiscard]] constexpr std::string_view word(Change change) {
  constexpr std::array<std::string_view, 7> kWords = {"overlap",  "graphs",   "no-sync",     "tf32",
                                                      "amp-fp16", "amp-bf16", "comm-overlap"};
  return kWords[static_cast<std::size_t>(change)];
}

/// Something that costs time in every step, and what to do about it.
struct Finding {
  Change change = Change::kOverlap;
  Range saved_seconds;  ///< of a step, this change alone
  std::string seen;
  std::string action;
};

/// What the recording lacks, what that costs the answer, and how to record it.
struct Missing {
  std::string what;
  std::string action;
};

/// Whether a kernel's work is known from its recorded shape or from nothing but its time.
enum class WorkBasis { kShape, kTime };

[[nodiscard]] constexpr std::string_view word(WorkBasis basis) {
  return basis == WorkBasis::kShape ? "shape" : "time";
}

/// One distinct kernel. Empty optionals: the GPU is not known, or the kernel is a collective.
struct KernelFacts {
  std::string name;
  std::string op;
  KernelClass kernel_class = KernelClass::kOther;
  std::string shape;
  std::optional<Math> math;
  double launches_per_step = 0;
  double launch_seconds = 0;  ///< mean of one launch
  double seconds = 0;         ///< of a step
  double share = 0;           ///< of the kernel time
  std::optional<Bound> bound;
  std::optional<WorkBasis> basis;
  MaybeRange dram_bytes;  ///< of one launch
  MaybeRange l2_bytes;
  std::optional<double> flops_per_second;
  std::optional<double> bytes_per_second;  ///< DRAM and L2 together
  std::optional<double> sustained_share;
};

struct ClassTime {
  KernelClass kernel_class = KernelClass::kOther;
  double launches = 0;
  double seconds = 0;
  std::optional<BoundSeconds> seconds_by_bound;  ///< sums to `seconds`
};

/// Kernel time under an operator, a module or an annotation.
struct PlaceTime {
  std::string name;
  int depth = 0;  ///< 0: not inside another of its kind
  double launches = 0;
  double seconds = 0;  ///< with everything inside it
};

/// Matrix work (GEMM, convolution, attention) in one format.
struct FormatTime {
  std::optional<Math> math;  ///< empty: neither kernel nor operator tells
  double seconds = 0;
  std::optional<bool> tensor_cores;  ///< empty: not known
};

struct FormatUse {
  std::vector<FormatTime> formats;  ///< by falling time
  double matrix_seconds = 0;
  std::optional<double> tensor_core_seconds;
  /// On CUDA cores today, in formats that this card's tensor cores have a substitute for.
  std::optional<double> convertible_seconds;
};

struct CopyFacts {
  CopyKind kind = CopyKind::kDeviceToDevice;
  bool pageable = false;
  bool synchronous = false;  ///< by its call, or as the recording shows
  CopyUse use;
};

struct StepSpread {
  double shortest_seconds = 0;
  double longest_seconds = 0;
};

struct GpuFacts {
  int device = 0;
  std::string name;
  std::optional<std::int64_t> kernels;  ///< in the whole recording
  std::optional<int> streams;
  std::optional<double> kernel_seconds;  ///< in the whole recording
  std::optional<double> collective_seconds;
  bool told = false;  ///< the answer is about this one
};

/// The card of the recording, and how much of the step it decides.
struct InspectedSource {
  std::optional<std::string> gpu;  ///< canonical id; empty: unknown
  std::string gpu_name;            ///< of the catalog; else as recorded, or empty
  std::optional<std::string> basis;
  double step_seconds = 0;
  double gpu_busy_share = 0;
  double floor_seconds = 0;  ///< the step on a GPU that takes no time at all
  std::vector<std::string> notes;
  std::string host_note;  ///< of a step at the pace of the host under a profiler; else empty
};

struct Inspection {
  ToolInfo tool;
  WorkloadFacts workload;
  InspectedSource source;
  std::optional<StepSpread> spread;  ///< empty: one step, or none marked
  StepTimeline timeline;
  std::vector<CopyFacts> copies;
  std::vector<Finding> findings;  ///< by falling predicted saving
  std::vector<Missing> missing;
  double kernel_seconds = 0;       ///< summed over kernels; of overlapping ones, each counts
  std::vector<ClassTime> classes;  ///< by falling time, none without any
  FormatUse formats;
  std::vector<KernelFacts> kernels;     ///< all, by falling time
  std::vector<PlaceTime> ops;           ///< by falling time
  std::vector<PlaceTime> modules;       ///< a tree in preorder
  std::vector<PlaceTime> module_types;  ///< of the innermost module; by falling time
  std::vector<PlaceTime> annotations;   ///< a tree in preorder
  std::vector<GpuFacts> gpus;           ///< that have kernels in the recording
};

}  // namespace uplift
