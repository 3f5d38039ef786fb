// SPDX-License-Identifier: Apache-2.0
// Which call launched a device activity, and inside which frames of the program. Correlation ids
// and time decide; `External id` is only the fallback, since several PyTorch versions number it
// differently on operators and kernels.
#pragma once

#include "uplift/core/workload.hpp"
#include "uplift/read/trace/kineto_records.hpp"

#include <cstdint>
#include <vector>

namespace uplift::read {

inline constexpr std::int32_t kNone = -1;
inline constexpr std::uint32_t kNoSignature = UINT32_MAX;

/// A place in the program from which work is launched.
struct CallSite {
  std::int32_t frame = kNone;           ///< innermost frame: index into KinetoLinks::stacks
  std::uint32_t op = kNoSignature;      ///< innermost operator: index into KinetoRecords::frames
  std::uint32_t shaped = kNoSignature;  ///< the operator around it whose shapes describe the call
  bool operator==(const CallSite&) const = default;
};

/// Something that ran on the device, with the call that asked for it. Times are ns.
struct Activity {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t host_start = kUnknownTime;  ///< of the call; unknown: not recorded
  std::int64_t host_end = kUnknownTime;
  std::int64_t bytes = 0;
  std::uint32_t work = 0;     ///< index into KinetoRecords::work
  std::uint32_t site = 0;     ///< index into KinetoLinks::sites; 0: unknown
  std::uint32_t op_call = 0;  ///< number of the call of the operator `site.op`; 0: none
  std::uint32_t thread = 0;   ///< of the call: index into KinetoRecords::threads
  std::int32_t stream = 0;
  bool synchronous = false;  ///< the call returned only when the work was done
};

/// A call that waits for the device.
struct WaitCall {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::uint32_t thread = 0;
  std::int32_t frame = kNone;
  bool whole_device = false;
};

struct KinetoLinks {
  std::vector<Activity> activities;  ///< of one device
  std::vector<CallSite> sites;       ///< the first one is "unknown"
  std::vector<StackFrame> stacks;    ///< frames that launched work or waited, and those around them
  std::vector<WaitCall> waits;
};

/// Links the work of `device`.
[[nodiscard]] KinetoLinks link_records(const KinetoRecords& records, std::int32_t device);

}  // namespace uplift::read
