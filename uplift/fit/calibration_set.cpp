// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/calibration_set.hpp"

#include <algorithm>
#include <limits>

namespace uplift::fit {
namespace {

double distance(const predict::Features& a, const predict::Features& b) {
  double squares = 0;
  for (std::size_t i = 0; i < predict::kFeatures; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return squares;
}

std::size_t nearest(std::span<const predict::Features> places, const predict::Features& to) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (distance(places[i], to) < distance(places[best], to)) best = i;
  }
  return best;
}

predict::Features mean(std::span<const predict::Features> places) {
  predict::Features sum{};
  for (const auto& place : places) {
    for (std::size_t i = 0; i < predict::kFeatures; ++i) sum[i] += place[i];
  }
  for (double& value : sum) value /= static_cast<double>(places.size());
  return sum;
}

}  // namespace

std::vector<std::size_t> choose_representatives(std::span<const predict::Features> places,
                                                std::size_t count) {
  std::vector<std::size_t> chosen;
  if (places.empty()) return chosen;
  // Thousands of places say no more than a thousand spread evenly over them.
  std::vector<predict::Features> sample;
  const std::size_t step = std::max<std::size_t>(1, places.size() / 1500);
  for (std::size_t i = 0; i < places.size(); i += step) sample.push_back(places[i]);

  std::vector<predict::Features> centres = {sample[nearest(sample, mean(sample))]};
  std::vector<double> far(sample.size(), std::numeric_limits<double>::infinity());
  while (centres.size() < std::min(count, sample.size())) {
    for (std::size_t i = 0; i < sample.size(); ++i) {
      far[i] = std::min(far[i], distance(sample[i], centres.back()));
    }
    centres.push_back(
        sample[static_cast<std::size_t>(std::max_element(far.begin(), far.end()) - far.begin())]);
  }
  for (int round = 0; round < 15; ++round) {
    std::vector<std::vector<predict::Features>> members(centres.size());
    for (const auto& place : sample) members[nearest(centres, place)].push_back(place);
    for (std::size_t i = 0; i < centres.size(); ++i) {
      if (!members[i].empty()) centres[i] = mean(members[i]);
    }
  }
  for (const auto& centre : centres) {
    const std::size_t index = nearest(places, centre);
    if (std::find(chosen.begin(), chosen.end(), index) == chosen.end()) chosen.push_back(index);
  }
  return chosen;
}

}  // namespace uplift::fit
