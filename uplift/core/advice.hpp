// SPDX-License-Identifier: Apache-2.0
// The answer of `advise` as plain data: decide/ fills it, report/ draws it. Field for field the
// schema uplift.advise/1 (docs/formats.md); an empty optional is JSON null.
#pragma once

#include "uplift/core/dimension.hpp"
#include "uplift/core/kernel_class.hpp"
#include "uplift/core/math.hpp"
#include "uplift/core/quantity.hpp"
#include "uplift/core/tool_info.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace uplift {

/// A prediction with its interval.
struct Range {
  double predicted = 0;
  double low = 0;
  double high = 0;
};
using MaybeRange = std::optional<Range>;

enum class Decision { kUpgradeNow, kEvaluate, kHold, kCannotSay };

[[nodiscard]] constexpr std::string_view word(Decision decision) {
  constexpr std::array<std::string_view, 4> kWords = {"upgrade-now", "evaluate", "hold",
                                                      "cannot-say"};
  return kWords[static_cast<std::size_t>(decision)];
}

/// An input whose change would change the decision.
struct Flip {
  std::string input;
  double current = 0;
  double flips_at = 0;
  std::string unit;
};

struct Verdict {
  Decision decision = Decision::kCannotSay;
  std::vector<std::string> reasons;
  std::vector<Flip> flips_if;
};

struct DimensionFactor {
  Dimension dimension = Dimension::kTensor;
  std::optional<double> factor;  ///< empty: not modelled
  std::string note;
};

struct MemoryFit {
  std::optional<double> needed_bytes;
  std::optional<double> available_bytes;
  std::optional<bool> fits;
  std::optional<std::int64_t> max_batch;
};

/// A gain that needs a change to the program.
struct ProgramChange {
  std::string change;
  MaybeRange step_seconds;
  MaybeRange speedup;
  std::string needs;
};

/// One distinct kernel on one target, per launch.
struct KernelAdvice {
  std::string name;
  std::string op;
  KernelClass kernel_class = KernelClass::kOther;
  std::string shape;
  double launches_per_step = 0;
  double source_seconds = 0;
  Range target_seconds;
  Bound source_bound = Bound::kLaunch;
  Bound target_bound = Bound::kLaunch;
  std::optional<Math> source_math;
  Math target_math = Math::kFp32;
  bool math_changed = false;
};

using BoundSeconds = std::array<double, kBounds.size()>;

struct TargetAdvice {
  std::string gpu;
  std::string gpu_name;
  std::string basis;
  std::vector<std::string> notes;  ///< what was assumed for this card
  MaybeRange step_seconds;
  MaybeRange speedup;
  double confidence = 0.9;
  std::optional<double> bandwidth_ratio;  ///< data sheets, target over source: the naive answers
  std::optional<double> peak_ratio;       ///< of the format that takes the most time
  std::vector<ProgramChange> with_changes;
  std::vector<DimensionFactor> dimensions;
  double unattributed = 1;
  BoundSeconds seconds_by_bound{};  ///< of the predicted step; sums to it
  MemoryFit memory;
  MaybeRange joules_per_step;
  std::optional<double> energy_ratio;
  Verdict verdict;
  std::vector<KernelAdvice> kernels;  ///< by falling source time
};

struct WorkloadFacts {
  std::string kind;
  std::string framework;
  std::int64_t steps = 0;
  std::int64_t kernel_launches = 0;
  std::int64_t distinct_kernels = 0;
  std::vector<std::string> warnings;
  std::optional<std::int64_t> rank = std::nullopt;  ///< of the process in a distributed job
  std::optional<std::int64_t> world_size = std::nullopt;
  bool steps_whole = true;  ///< false: the recording breaks off, and no step is shown to be whole
};

struct SourceFacts {
  std::optional<std::string> gpu;  ///< canonical id; empty: unknown
  std::string gpu_name;
  std::optional<std::string> basis;
  std::optional<double> step_seconds;
  std::optional<double> gpu_busy_share;
  std::array<double, kKernelClasses.size()> seconds_by_class{};  ///< of a step, device time
  BoundSeconds seconds_by_bound{};                               ///< of a step; sums to it
  /// The step on a GPU that takes no time at all: the host's own pace.
  std::optional<double> floor_seconds;
  std::vector<std::string> notes;
};

struct Advice {
  ToolInfo tool;
  WorkloadFacts workload;
  SourceFacts source;
  std::vector<TargetAdvice> targets;
};

}  // namespace uplift
