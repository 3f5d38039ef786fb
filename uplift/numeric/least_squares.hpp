// SPDX-License-Identifier: Apache-2.0
// Bounded nonlinear least squares: Levenberg-Marquardt (Marquardt, SIAM J. Appl. Math. 11, 1963)
// with a numerical Jacobian and a soft-L1 loss, so that single bad timings do not bend a formula.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace uplift::numeric {

struct Unknown {
  double start = 0, low = 0, high = 0;  ///< low > 0: moves in the logarithm
};

struct LeastSquaresOptions {
  double loss_scale = 0.15;  ///< residuals far above it count by their size, not its square
  std::size_t robust =
      0;  ///< how many residuals, from the first, get that loss; the rest are squared
  int iterations = 60;
};

struct LeastSquaresResult {
  std::vector<double> values;
  double cost = 0;  ///< sum of losses
};

/// Writes the residuals at `values`; called from several threads at once.
using ResidualFunction = std::function<void(std::span<const double> values, std::span<double> out)>;

[[nodiscard]] LeastSquaresResult minimise(const ResidualFunction& residuals, std::size_t count,
                                          std::span<const Unknown> unknowns,
                                          const LeastSquaresOptions& options);

}  // namespace uplift::numeric
