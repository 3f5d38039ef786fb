// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/carry_study.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace uplift::fit {
namespace {

using predict::CallTime;
using predict::CarryConstants;

/// Single bad timings do not set what cards have in common.
constexpr double kMostDeviation = 0.7;

struct Call {
  CallTime expected;
  double seconds = 0;

  [[nodiscard]] double overhead_share() const { return expected.overhead / expected.total(); }
  [[nodiscard]] double deviation() const {
    return std::clamp(seconds / expected.total() - 1.0, -kMostDeviation, kMostDeviation);
  }
};

using Groups = std::unordered_map<std::uint32_t, std::vector<Call>>;

Groups calls_by_group(const predict::OpFamily& family, const FamilyFit& fit, const Dataset& data) {
  Groups groups;
  for (const auto& [card, scales] : fit.cards) {
    predict::CardByMath scaled = data.cards[card].published;
    for (auto& one : scaled) one = scales.apply(one);
    for (const Sample* sample : samples_of(data, card)) {
      const Op& op = sample->timed.op;
      const double kernel = family.estimate(op, scaled[index(op.math)], fit.constants).seconds;
      groups[sample->group].push_back({{kernel, scales.overhead}, sample->timed.seconds});
    }
  }
  return groups;
}

/// Least squares of y on two non-negative multiples of x.
class TwoTerms {
 public:
  void add(double x0, double x1, double y) {
    xx_[0] += x0 * x0;
    xx_[1] += x0 * x1;
    xx_[2] += x1 * x1;
    xy_[0] += x0 * y;
    xy_[1] += x1 * y;
  }
  [[nodiscard]] std::pair<double, double> solve() const {
    const double determinant = xx_[0] * xx_[2] - xx_[1] * xx_[1];
    if (determinant > 1e-9 * xx_[0] * xx_[2]) {
      const double first = (xy_[0] * xx_[2] - xy_[1] * xx_[1]) / determinant;
      const double second = (xy_[1] * xx_[0] - xy_[0] * xx_[1]) / determinant;
      if (first >= 0 && second >= 0) return {first, second};
      if (second < 0) return {alone(0), 0.0};
      return {0.0, alone(1)};
    }
    return {alone(0), 0.0};
  }

 private:
  [[nodiscard]] double alone(std::size_t i) const {
    const double square = xx_[2 * i];
    return square > 0 ? std::max(0.0, xy_[i] / square) : 0.0;
  }
  std::array<double, 3> xx_{};
  std::array<double, 2> xy_{};
};

double share_of(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 0.95) : 0.0;
}

}  // namespace

CarryConstants learn_carry(const predict::OpFamily& family, const FamilyFit& fit,
                           const Dataset& data) {
  TwoTerms own;
  TwoTerms shared;
  for (const auto& [group, calls] : calls_by_group(family, fit, data)) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const double w = calls[i].overhead_share();
      const double r = calls[i].deviation();
      own.add((1 - w) * (1 - w), w * w, r * r);
      for (std::size_t j = 0; j < i; ++j) {
        const double v = calls[j].overhead_share();
        shared.add((1 - w) * (1 - v), w * v, r * calls[j].deviation());
      }
    }
  }
  const auto [kernel, overhead] = own.solve();
  const auto [kernel_shared, overhead_shared] = shared.solve();
  return {std::max(1e-4, kernel), share_of(kernel_shared, kernel), overhead,
          share_of(overhead_shared, overhead)};
}

void set_overhead_factors(const predict::OpFamily& family, const FamilyFit& fit,
                          const CarryConstants& carry, Dataset& data) {
  const double variance = carry.overhead * carry.overhead_shared;
  std::unordered_map<std::uint32_t, double> factors;
  for (const auto& [group, calls] : calls_by_group(family, fit, data)) {
    // Each card shows the factor that they share, through its kernel's deviation and its own.
    double precision = variance > 0 ? 1.0 / variance : 0.0;
    double sum = 0;
    for (const Call& call : calls) {
      if (variance <= 0 || call.expected.overhead <= 0) continue;
      const double ratio = call.expected.kernel / call.expected.overhead;
      const double noise =
          carry.kernel * ratio * ratio + carry.overhead * (1 - carry.overhead_shared);
      precision += 1.0 / noise;
      sum += (call.seconds - call.expected.total()) / call.expected.overhead / noise;
    }
    factors[group] = precision > 0 ? std::clamp(1.0 + sum / precision, 0.2, 3.0) : 1.0;
  }
  for (Sample& sample : data.samples) {
    if (fit.cards.contains(sample.card)) sample.timed.factors.overhead = factors[sample.group];
  }
}

}  // namespace uplift::fit
