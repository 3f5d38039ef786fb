// SPDX-License-Identifier: Apache-2.0
// The `memory` term: DRAM bandwidth that streams reach, and capacity.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/quantity.hpp"
#include "uplift/model/basis.hpp"
#include "uplift/model/parameters.hpp"

namespace uplift::model {

struct MemoryCeilings {
  BytesPerSecond stream;  ///< bytes read plus written, large arrays
  Bytes capacity;         ///< as sold; 0: not in the catalog
  bool published = false;
};

/// Share of the data-sheet bandwidth that streams reach on memory of this kind.
[[nodiscard]] double dram_share(const Gpu& gpu, const Parameters& parameters);

/// Formulas: docs/method.md, section 3.2. Errors: the board lacks its DRAM bandwidth.
[[nodiscard]] Result<MemoryCeilings> estimate_memory(const Gpu& gpu, Basis basis,
                                                     const Parameters& parameters);

}  // namespace uplift::model
