// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/residual_field.hpp"

#include <algorithm>
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
    : constants_(constants), places_(places.begin(), places.end()) {
  const std::size_t n = places_.size();
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

Deviation ResidualField::at(const Features& place, const double* source) const {
  const std::size_t n = places_.size();
  std::vector<double> near(n);
  for (std::size_t i = 0; i < n; ++i) near[i] = covariance(place, places_[i]);
  Deviation found{0.0, constants_.variance};
  std::vector<double> projected(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    found.mean += near[i] * weighted_[i];
    for (std::size_t j = 0; j < n; ++j) projected[i] += inverse_[i * n + j] * near[j];
    found.variance -= near[i] * projected[i];
  }
  if (source == nullptr || constants_.shared <= 0) return found;
  // Condition on the other card's deviation too; what is left of it after the timed operations.
  double expected = 0;
  double variance = constants_.variance;
  double cross = constants_.shared * constants_.variance;
  for (std::size_t i = 0; i < n; ++i) {
    expected += constants_.shared * near[i] * weighted_[i];
    variance -= constants_.shared * constants_.shared * near[i] * projected[i];
    cross -= constants_.shared * near[i] * projected[i];
  }
  if (variance <= 1e-12) return found;
  const double gain = cross / variance;
  found.mean += gain * (*source - expected);
  found.variance = std::max(0.0, found.variance - gain * cross);
  return found;
}

}  // namespace uplift::predict
