// SPDX-License-Identifier: Apache-2.0
// The `cache` term: how much of a kernel's traffic the L2 serves, and how fast.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/quantity.hpp"
#include "uplift/model/basis.hpp"
#include "uplift/model/parameters.hpp"

namespace uplift::model {

struct CacheCeilings {
  Bytes l2;                  ///< 0: not in the catalog, then nothing is served by it
  BytesPerSecond bandwidth;  ///< of reads that hit
};

/// Formulas: docs/method.md, section 3.3.
[[nodiscard]] CacheCeilings estimate_cache(const Gpu& gpu, Basis basis,
                                           const Parameters& parameters);

/// Share of `traffic` that L2 serves when producer and consumer follow each other: 1 for traffic
/// far below the L2's size, 0 far above it.
[[nodiscard]] double l2_share(Bytes traffic, const CacheCeilings& cache,
                              const Parameters& parameters);

}  // namespace uplift::model
