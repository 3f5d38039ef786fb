// SPDX-License-Identifier: Apache-2.0
// Upgrade now, evaluate or hold: a rule on the interval of the as-is speedup and on memory, written
// up in docs/method.md, section 6. Money is not in it.
#pragma once

#include "uplift/core/advice.hpp"

namespace uplift::decide {

/// The low end must reach this for `upgrade-now`.
inline constexpr double kWorthwhileSpeedup = 1.5;
/// A card whose high end stays below this, or whose prediction stays below kNoticeableSpeedup, is
/// not worth the change.
inline constexpr double kPointlessSpeedup = 1.2;
inline constexpr double kNoticeableSpeedup = 1.1;

/// Reads speedup, step_seconds, seconds_by_bound, memory and gpu of `target`, and the source's
/// split.
[[nodiscard]] Verdict judge(const SourceFacts& source, const TargetAdvice& target);

}  // namespace uplift::decide
