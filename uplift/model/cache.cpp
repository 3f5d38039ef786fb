// SPDX-License-Identifier: Apache-2.0
// L2: size from the catalog, bandwidth published or from SMs and clock.
#include "uplift/model/cache.hpp"

#include <cmath>

namespace uplift::model {

CacheCeilings estimate_cache(const Gpu& gpu, Basis basis, const Parameters& parameters) {
  CacheCeilings ceilings;
  if (gpu.l2_bytes) ceilings.l2 = Bytes(gpu.l2_bytes->value);
  if (basis == Basis::kPublished && gpu.published.l2_bandwidth) {
    ceilings.bandwidth = BytesPerSecond(gpu.published.l2_bandwidth->value);
  } else if (gpu.sm_count && gpu.boost_clock) {
    constexpr double kBytesPerClock = 64.0;  // one L2 sector pair per SM and clock
    ceilings.bandwidth = BytesPerSecond(parameters.sustained_l2 * gpu.sm_count->value *
                                        kBytesPerClock * gpu.boost_clock->value);
  }
  return ceilings;
}

double l2_share(Bytes traffic, const CacheCeilings& cache, const Parameters& parameters) {
  if (cache.l2.value() <= 0 || cache.bandwidth.value() <= 0) return 0.0;
  const double fill = traffic.value() / (parameters.l2_reach * cache.l2.value());
  return 1.0 / (1.0 + std::pow(fill, parameters.l2_steepness));
}

}  // namespace uplift::model
