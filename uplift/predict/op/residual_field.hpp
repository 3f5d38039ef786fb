// SPDX-License-Identifier: Apache-2.0
// Deviations from a formula, carried from operations that were timed to operations near them:
// Gaussian-process regression (kriging) with an exponential covariance and a nugget
// (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, chapter 2).
#pragma once

#include "uplift/predict/op/op_family.hpp"

#include <span>
#include <vector>

namespace uplift::predict {

struct FieldConstants {
  double variance = 0.02;  ///< of ln time about the formula, on one card
  double reach = 1.0;      ///< distance in features at which covariance falls to 1/e
  double nugget = 0.2;     ///< share of the variance that no neighbour tells
};

/// What is known of the deviation at one operation.
struct Deviation {
  double mean = 0;      ///< ln of time over formula
  double variance = 0;  ///< of that
};

class ResidualField {
 public:
  /// Places beyond these are not looked at.
  static constexpr std::size_t kMostPlaces = 32;

  ResidualField() = default;
  /// `values` are ln of time over formula at `places`, all on the card to be predicted.
  ResidualField(const FieldConstants& constants, std::span<const Features> places,
                std::span<const double> values);

  [[nodiscard]] Deviation at(const Features& place) const;
  [[nodiscard]] bool empty() const { return places_.empty(); }

 private:
  [[nodiscard]] double covariance(const Features& a, const Features& b) const;
  FieldConstants constants_;
  std::vector<Features> places_;
  std::vector<double> weighted_;  ///< K^-1 values
  std::vector<double> inverse_;   ///< K^-1, row by row
};

}  // namespace uplift::predict
