// SPDX-License-Identifier: Apache-2.0
#include "uplift/numeric/least_squares.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace uplift::numeric {
namespace {

/// The unknowns as the steps move them: logarithms where the range is positive.
class Scale {
 public:
  explicit Scale(std::span<const Unknown> unknowns) : unknowns_(unknowns) {}
  [[nodiscard]] double inside(std::size_t i, double value) const {
    return logarithmic(i) ? std::log(value) : value;
  }
  [[nodiscard]] double outside(std::size_t i, double at) const {
    const double value = logarithmic(i) ? std::exp(at) : at;
    return std::clamp(value, unknowns_[i].low, unknowns_[i].high);
  }
  [[nodiscard]] double low(std::size_t i) const { return inside(i, unknowns_[i].low); }
  [[nodiscard]] double high(std::size_t i) const { return inside(i, unknowns_[i].high); }

 private:
  [[nodiscard]] bool logarithmic(std::size_t i) const { return unknowns_[i].low > 0; }
  std::span<const Unknown> unknowns_;
};

double loss(double residual, std::size_t row, const LeastSquaresOptions& options) {
  if (row >= options.robust) return residual * residual;
  const double s = options.loss_scale;
  const double z = residual / s;
  return 2.0 * s * s * (std::sqrt(1.0 + z * z) - 1.0);
}

double weight(double residual, std::size_t row, const LeastSquaresOptions& options) {
  if (row >= options.robust) return 1.0;
  const double z = residual / options.loss_scale;
  return 1.0 / std::sqrt(1.0 + z * z);
}

}  // namespace

LeastSquaresResult minimise(const ResidualFunction& residuals, std::size_t count,
                            std::span<const Unknown> unknowns, const LeastSquaresOptions& options) {
  const Scale scale(unknowns);
  const std::size_t n = unknowns.size();
  const auto values_at = [&](const std::vector<double>& at) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = scale.outside(i, at[i]);
    return values;
  };
  const auto cost_of = [&](const std::vector<double>& r) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += loss(r[i], i, options);
    return std::isfinite(sum) ? sum : 1e300;
  };
  std::vector<double> at(n);
  for (std::size_t i = 0; i < n; ++i) {
    at[i] = scale.inside(i, std::clamp(unknowns[i].start, unknowns[i].low, unknowns[i].high));
  }
  std::vector<double> now(count);
  residuals(values_at(at), now);
  double cost = cost_of(now);
  double damping = 1e-2;
  constexpr double kStep = 1e-4;
  Eigen::MatrixXd jacobian(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(n));
  std::vector<double> shifted(count);
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> near = at;
      const double step = at[j] + kStep <= scale.high(j) ? kStep : -kStep;
      near[j] += step;
      residuals(values_at(near), shifted);
      for (std::size_t i = 0; i < count; ++i) {
        const double slope = (shifted[i] - now[i]) / step;
        jacobian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            std::isfinite(slope) ? slope : 0.0;
      }
    }
    Eigen::MatrixXd weighted = jacobian;
    Eigen::VectorXd right(static_cast<Eigen::Index>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const double w = weight(now[i], i, options);
      weighted.row(static_cast<Eigen::Index>(i)) *= w;
      right(static_cast<Eigen::Index>(i)) = now[i];
    }
    const Eigen::MatrixXd normal = jacobian.transpose() * weighted;
    const Eigen::VectorXd gradient = weighted.transpose() * right;
    bool improved = false;
    double gained = 0;
    for (int attempt = 0; attempt < 12 && !improved; ++attempt) {
      Eigen::MatrixXd damped = normal;
      for (Eigen::Index j = 0; j < damped.rows(); ++j) {
        damped(j, j) += damping * std::max(normal(j, j), 1e-9);
      }
      const Eigen::VectorXd step = damped.ldlt().solve(gradient);
      std::vector<double> next = at;
      for (std::size_t j = 0; j < n; ++j) {
        const double move = std::clamp(step(static_cast<Eigen::Index>(j)), -0.7, 0.7);
        next[j] = std::clamp(at[j] - move, scale.low(j), scale.high(j));
      }
      residuals(values_at(next), shifted);
      const double next_cost = cost_of(shifted);
      if (next_cost < cost) {
        gained = (cost - next_cost) / cost;
        at = std::move(next);
        now.swap(shifted);
        cost = next_cost;
        damping = std::max(damping * 0.3, 1e-8);
        improved = true;
      } else {
        damping = std::min(damping * 4.0, 1e8);
      }
    }
    if (!improved || gained < 1e-5) break;
  }
  return {values_at(at), cost};
}

}  // namespace uplift::numeric
