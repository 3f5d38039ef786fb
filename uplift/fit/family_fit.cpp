// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/family_fit.hpp"

#include "uplift/numeric/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::fit {
namespace {

using predict::CardScales;

constexpr double kLossScale = 0.15;
/// Rows of one card are alike; together they weigh as much against a prior as this many would.
constexpr double kIndependentRows = 100;
/// Constants that the rows do not tell stay where they start: sd of their ln, in units of a prior.
constexpr double kConstantPrior = 5.0;
constexpr std::size_t kScales = 3;  // compute, memory, ln of overhead against the mean

/// Where each kind of unknown stands in the vector that is searched.
struct Layout {
  std::size_t constants;
  std::size_t cards;

  [[nodiscard]] std::size_t mean_overhead() const { return constants; }
  [[nodiscard]] std::size_t scale(std::size_t card) const { return constants + 1 + card * kScales; }
  [[nodiscard]] CardScales scales(std::span<const double> values, std::size_t card,
                                  bool with_launch) const {
    const std::size_t at = scale(card);
    return {values[at], values[at + 1],
            with_launch ? values[mean_overhead()] * std::exp(values[at + 2]) : 0.0};
  }
};

std::vector<numeric::Unknown> unknowns(const predict::OpFamily& family, const Layout& layout) {
  std::vector<numeric::Unknown> all;
  for (const auto& range : family.parameters()) all.push_back({range.start, range.low, range.high});
  all.push_back({20e-6, 1e-7, 5e-4});
  for (std::size_t i = 0; i < layout.cards * kScales; ++i) all.push_back({0.0, -1.5, 1.5});
  return all;
}

}  // namespace

FamilyFit fit_family(const predict::OpFamily& family, const Dataset& data,
                     std::span<const std::size_t> cards, const FitOptions& options) {
  const auto ranges = family.parameters();
  const Layout layout{ranges.size(), cards.size()};
  std::vector<std::vector<const Sample*>> rows;
  std::size_t count = 0;
  for (const std::size_t card : cards) {
    rows.push_back(samples_of(data, card, options.rows_per_card));
    count += rows.back().size();
  }
  const double unit = kLossScale * std::sqrt(static_cast<double>(count) /
                                             static_cast<double>(cards.size()) / kIndependentRows);
  const auto residuals = [&](std::span<const double> values, std::span<double> out) {
    const auto constants = values.first(ranges.size());
    std::size_t at = 0;
    for (std::size_t c = 0; c < cards.size(); ++c) {
      const CardScales scales = layout.scales(values, c, data.cards[cards[c]].with_launch);
      predict::CardByMath scaled = data.cards[cards[c]].published;
      for (auto& card : scaled) card = scales.apply(card);
      for (const Sample* sample : rows[c]) {
        const Op& op = sample->timed.op;
        const double seconds = family.estimate(op, scaled[index(op.math)], constants).seconds +
                               scales.overhead * sample->timed.factors.overhead;
        out[at++] = std::log(sample->timed.seconds / seconds);
      }
    }
    for (std::size_t c = 0; c < cards.size(); ++c) {
      const std::size_t scale = layout.scale(c);
      out[at++] = values[scale] / options.scale_prior * unit;
      out[at++] = values[scale + 1] / options.scale_prior * unit;
      out[at++] = values[scale + 2] / options.overhead_prior * unit;
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const auto& range = ranges[i];
      const double away = range.low > 0
                              ? std::log(values[i] / range.start)
                              : 3.0 * (values[i] - range.start) / (range.high - range.low);
      out[at++] = away / kConstantPrior * unit;
    }
  };
  const std::size_t all = count + cards.size() * kScales + ranges.size();
  numeric::LeastSquaresOptions search;
  search.loss_scale = kLossScale;
  search.robust = count;
  search.iterations = options.iterations;
  const auto found = numeric::minimise(residuals, all, unknowns(family, layout), search);

  FamilyFit fit;
  fit.constants.assign(found.values.begin(),
                       found.values.begin() + static_cast<std::ptrdiff_t>(ranges.size()));
  for (std::size_t c = 0; c < cards.size(); ++c) {
    fit.cards[cards[c]] = layout.scales(found.values, c, data.cards[cards[c]].with_launch);
  }
  std::vector<double> values(all);
  residuals(found.values, values);
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += std::min(0.25, values[i] * values[i]);
  fit.noise = std::max(0.03, std::sqrt(total / std::max(1.0, static_cast<double>(count))));
  return fit;
}

}  // namespace uplift::fit
