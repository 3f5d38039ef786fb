// SPDX-License-Identifier: Apache-2.0
// Which call launched a device activity, and inside which operators. Correlation ids and time
// decide; `External id` is only the fallback, since several PyTorch versions number it differently
// on operators and kernels.
#pragma once

#include "uplift/read/trace/kineto_records.hpp"

#include <cstdint>
#include <vector>

namespace uplift::read {

inline constexpr std::int32_t kNone = -1;

struct KinetoLinks {
  std::vector<std::int32_t> call;       ///< per device record: index into calls, or kNone
  std::vector<std::int32_t> op;         ///< per device record: innermost operator, or kNone
  std::vector<std::int32_t> op_parent;  ///< per operator: the operator around it, or kNone
};

[[nodiscard]] KinetoLinks link_records(const KinetoRecords& records);

}  // namespace uplift::read
