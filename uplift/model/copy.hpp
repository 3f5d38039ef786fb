// SPDX-License-Identifier: Apache-2.0
// The `copy` term: links to the host and to other GPUs, and what a launch costs.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/quantity.hpp"
#include "uplift/model/parameters.hpp"

namespace uplift::model {

struct CopyCeilings {
  BytesPerSecond host_pinned;  ///< one way over PCIe or C2C
  BytesPerSecond host_pageable;
  BytesPerSecond peer;  ///< one way to another GPU: NVLink, or PCIe without it
  bool has_nvlink = false;
  Seconds kernel_floor;  ///< of the shortest kernel on the device
};

/// Formulas: docs/method.md, section 3.4. A board without PCIe facts counts as PCIe 3.0 x16.
[[nodiscard]] CopyCeilings estimate_copy(const Gpu& gpu, const Parameters& parameters);

}  // namespace uplift::model
