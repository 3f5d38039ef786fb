// SPDX-License-Identifier: Apache-2.0
// Which number formats a compute capability runs, and on which units. It belongs to the chip
// family, not to a board; catalog/ fills it from data/compute_capabilities.toml.
#pragma once

#include "uplift/core/gpu.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uplift {

/// One format on one compute capability.
struct FormatSupport {
  std::string format;        ///< fp64, fp32, tf32, bf16, fp16, fp8, fp6, fp4, int8, int4
  bool tensor_core = false;  ///< worth using on tensor cores; ISA-only paths count as no
  bool sparse_2to4 = false;
  std::optional<double> tensor_rate;     ///< dense op/clock/SM on tensor cores
  std::optional<double> cuda_core_rate;  ///< op/clock/SM on CUDA cores
  std::string tensor_path;               ///< instruction or condition; empty when there is none
  std::string cuda_core_path;            ///< how CUDA cores run it; `none` when they do not
  std::string note;
  std::string source;
  Provenance provenance = Provenance::kRecalled;
};

struct CapabilityFormats {
  ComputeCapability compute_capability;
  std::vector<FormatSupport> formats;

  [[nodiscard]] const FormatSupport* find(std::string_view format) const {
    for (const FormatSupport& support : formats) {
      if (support.format == format) return &support;
    }
    return nullptr;
  }
};

}  // namespace uplift
