// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/residual_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace uplift::predict {
namespace {

/// Inverse of a symmetric positive definite matrix of side n, by Gauss-Jordan without pivoting.
std::vector<double> invert(std::vector<double> a, std::size_t n) {
  std::vector<double> inverse(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = 1.0 / a[i * n + i];
    for (std::size_t j = 0; j < n; ++j) {
      a[i * n + j] *= pivot;
      inverse[i * n + j] *= pivot;
    }
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = a[r * n + i];
      for (std::size_t j = 0; j < n; ++j) {
        a[r * n + j] -= factor * a[i * n + j];
        inverse[r * n + j] -= factor * inverse[i * n + j];
      }
    }
  }
  return inverse;
}

}  // namespace

ResidualField::ResidualField(const FieldConstants& constants, std::span<const Features> places,
                             std::span<const double> values)
    : constants_(constants) {
  const std::size_t n = std::min(places.size(), kMostPlaces);
  places_.assign(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(n));
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      matrix[i * n + j] = i == j ? constants_.variance : covariance(places_[i], places_[j]);
    }
  }
  inverse_ = invert(std::move(matrix), n);
  weighted_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) weighted_[i] += inverse_[i * n + j] * values[j];
  }
}

double ResidualField::covariance(const Features& a, const Features& b) const {
  double squares = 0;
  for (std::size_t i = 0; i < kFeatures; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return constants_.variance * (1.0 - constants_.nugget) *
         std::exp(-std::sqrt(squares) / constants_.reach);
}

Deviation ResidualField::at(const Features& place) const {
  const std::size_t n = places_.size();
  std::array<double, kMostPlaces> near{};
  for (std::size_t i = 0; i < n; ++i) near[i] = covariance(place, places_[i]);
  double mean = 0;
  double told = 0;  // by the timed operations, of the variance
  for (std::size_t i = 0; i < n; ++i) {
    double projected = 0;
    for (std::size_t j = 0; j < n; ++j) projected += inverse_[i * n + j] * near[j];
    mean += near[i] * weighted_[i];
    told += near[i] * projected;
  }
  return {mean, std::max(0.0, constants_.variance - told)};
}

}  // namespace uplift::predict
