// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/source_carry.hpp"

#include <algorithm>

namespace uplift::predict {
namespace {

/// Covariance of the times of one call with expected parts `a` and `b`, given variances of the
/// parts.
double covariance(const CallTime& a, const CallTime& b, double kernel, double overhead) {
  return kernel * a.kernel * b.kernel + overhead * a.overhead * b.overhead;
}

}  // namespace

CallFactors carry_factors(const CarryConstants& constants, const SourceCall& source) {
  const CallTime& expected = source.expected;
  const double variance = covariance(expected, expected, constants.kernel, constants.overhead);
  if (variance <= 0) return {};
  const double weight = (source.seconds - expected.total()) / variance;
  const auto factor = [&](double shared, double part) {
    return std::clamp(1.0 + shared * part * weight, 0.2, 3.0);
  };
  return {factor(constants.kernel * constants.kernel_shared, expected.kernel),
          factor(constants.overhead * constants.overhead_shared, expected.overhead)};
}

double untold_share(const CarryConstants& constants, const SourceCall& source,
                    const CallTime& expected) {
  const double there =
      covariance(source.expected, source.expected, constants.kernel, constants.overhead);
  const double here = covariance(expected, expected, constants.kernel, constants.overhead);
  const double both =
      covariance(source.expected, expected, constants.kernel * constants.kernel_shared,
                 constants.overhead * constants.overhead_shared);
  if (there <= 0 || here <= 0) return 1;
  return std::clamp(1.0 - both / there * both / here, 0.0, 1.0);
}

}  // namespace uplift::predict
