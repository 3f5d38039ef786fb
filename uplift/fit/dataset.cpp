// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/dataset.hpp"

namespace uplift::fit {

std::vector<const Sample*> samples_of(const Dataset& data, std::size_t card, std::size_t most) {
  std::vector<const Sample*> all;
  for (const Sample& sample : data.samples) {
    if (sample.card == card) all.push_back(&sample);
  }
  if (all.size() <= most) return all;
  std::vector<const Sample*> kept;
  kept.reserve(most);
  for (std::size_t i = 0; i < most; ++i) kept.push_back(all[i * all.size() / most]);
  return kept;
}

}  // namespace uplift::fit
