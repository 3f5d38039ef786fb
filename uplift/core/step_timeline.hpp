// SPDX-License-Identifier: Apache-2.0
// Where the wall-clock time of one step went, as plain data: predict/ fills it from the
// representative step, decide/ and report/ read it. Definitions: docs/method.md, section 7.1.
#pragma once

#include "uplift/core/quantity.hpp"
#include "uplift/core/workload.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace uplift {

/// What a moment of the step was spent on; each moment counts once.
enum class StepPart {
  kCompute,  ///< at least one kernel that is no collective
  kComm,     ///< collectives and nothing else, copies apart
  kCopy,     ///< copies and sets alone, or an idle device while the host is in a blocking copy
  kSync,     ///< idle: the host was in a synchronisation when the device ran dry
  kLaunch,   ///< idle: work had been asked for and had not started
  kHost,     ///< idle: the host had not asked for work
};

inline constexpr std::array<StepPart, 6> kStepParts = {StepPart::kCompute, StepPart::kComm,
                                                       StepPart::kCopy,    StepPart::kSync,
                                                       StepPart::kLaunch,  StepPart::kHost};

[[nodiscard]] constexpr std::string_view word(StepPart part) {
  constexpr std::array<std::string_view, 6> kWords = {"compute", "comm",   "copy",
                                                      "sync",    "launch", "host"};
  return kWords[static_cast<std::size_t>(part)];
}

/// The copies of the step that are one entry of Workload::copies. Times count each copy, so that
/// exposed + hidden = total even where copies overlap each other.
struct CopyUse {
  std::size_t item = 0;  ///< index into Workload::copies
  std::int64_t count = 0;
  Bytes bytes;
  Seconds total;
  Seconds exposed;                ///< no kernel ran meanwhile
  bool on_kernel_stream = false;  ///< the stream that most kernel time is on
  bool blocks_host = false;       ///< its call returned only when it was done
  bool awaited = false;           ///< the host's next call waits for it

  [[nodiscard]] Seconds hidden() const { return total - exposed; }
};

/// Consecutive kernels, each of which started only when its launch arrived.
struct LaunchStretch {
  Seconds start;   ///< in the step: the end of the work before
  Seconds length;  ///< to the end of its last kernel
  Seconds idle;    ///< of it, nothing on the device
  std::int64_t kernels = 0;
  std::vector<std::string> ops;  ///< at most three, those with the most kernels first
};

struct StepTimeline {
  std::string name;  ///< of the representative step; empty where none are marked
  Seconds length;    ///< of the representative step
  std::array<Seconds, kStepParts.size()> parts{};  ///< sum to `length`
  std::vector<CopyUse> copies;                     ///< by falling exposed time
  Seconds collectives;                             ///< sum over collectives
  Seconds collectives_hidden;                      ///< of it, under other kernels
  std::int64_t kernels = 0;
  std::int64_t graph_kernels = 0;  ///< launched by a call that launched others, too
  std::int64_t synchronisations = 0;
  int streams = 0;  ///< with work in the step
  std::int64_t stretches = 0;
  std::int64_t stretch_kernels = 0;
  Seconds stretch_length;  ///< of all stretches together
  Seconds stretch_idle;
  std::vector<LaunchStretch> longest;  ///< at most five, longest first

  [[nodiscard]] Seconds part(StepPart which) const {
    return parts[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] Seconds idle() const {
    return part(StepPart::kSync) + part(StepPart::kLaunch) + part(StepPart::kHost);
  }
};

}  // namespace uplift
