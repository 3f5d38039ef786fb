// SPDX-License-Identifier: Apache-2.0
// The catalog's self-check: a peak is SMs × operations per clock and SM × clock. It catches slips
// of the pen in recalled numbers; boards that knowingly differ say so in [peak_exceptions].
#pragma once

#include "uplift/core/format_support.hpp"
#include "uplift/core/gpu.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace uplift::catalog {

/// Data sheets round to three digits and quote nominal clocks.
inline constexpr double kPeakTolerance = 0.015;

struct PeakCheck {
  std::string_view path;         ///< field: `peak.dense.fp16`
  double stated = 0.0;           ///< FLOP/s in the catalog
  double computed = 0.0;         ///< SMs × rate × clock
  bool agrees = false;           ///< within kPeakTolerance
  std::string exception_reason;  ///< why it may differ; empty: it may not
};

/// One entry per peak of the board whose rate and clock are known.
[[nodiscard]] std::vector<PeakCheck> check_peaks(const Gpu& gpu, const CapabilityFormats& formats);

}  // namespace uplift::catalog
