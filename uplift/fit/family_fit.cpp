// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/family_fit.hpp"

#include "uplift/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::fit {
namespace {

constexpr double kLossScale = 0.15;
/// Rows of one card are alike; together they weigh as much against a prior as this many would.
constexpr double kIndependentRows = 100;
constexpr std::size_t kScales = 3;  // compute, memory, ln overhead against the mean

CardScales scales_from(std::span<const double> values, double mean_overhead, bool overhead) {
  return {values[0], values[1], overhead ? mean_overhead * std::exp(values[2]) : 0.0};
}

/// At most `count` of the samples of `card`, spread evenly over their order.
std::vector<const Sample*> thin(const Dataset& data, std::size_t card, std::size_t count) {
  std::vector<const Sample*> all;
  for (const Sample& sample : data.samples) {
    if (sample.card == card) all.push_back(&sample);
  }
  if (all.size() <= count) return all;
  std::vector<const Sample*> kept;
  for (std::size_t i = 0; i < count; ++i) kept.push_back(all[i * all.size() / count]);
  return kept;
}

}  // namespace

double predict_seconds(const predict::OpFamily& family, const FamilyFit& fit, const Op& op,
                       const predict::OpCard& card, const CardScales& scales) {
  return family.estimate(op, scales.apply(card), fit.constants).seconds + scales.overhead;
}

FamilyFit fit_family(const predict::OpFamily& family, const Dataset& data,
                     std::span<const std::size_t> cards, FitBasis basis,
                     const FitOptions& options) {
  const auto ranges = family.parameters();
  std::vector<std::vector<const Sample*>> rows;
  std::size_t count = 0;
  for (const std::size_t card : cards) {
    rows.push_back(thin(data, card, options.rows_per_card));
    count += rows.back().size();
  }
  std::vector<Unknown> unknowns;
  for (const auto& range : ranges) unknowns.push_back({range.start, range.low, range.high});
  unknowns.push_back({20e-6, 1e-7, 5e-4});  // mean overhead
  const std::size_t first_scale = unknowns.size();
  for (std::size_t i = 0; i < cards.size() * kScales; ++i) unknowns.push_back({0.0, -1.5, 1.5});

  const std::size_t priors = cards.size() * kScales + ranges.size();
  const double row_weight =
      std::sqrt(static_cast<double>(count) / static_cast<double>(cards.size()) / kIndependentRows);
  const auto residuals = [&](std::span<const double> values, std::span<double> out) {
    const auto constants = values.first(ranges.size());
    std::size_t at = 0;
    for (std::size_t c = 0; c < cards.size(); ++c) {
      const CardScales scales = scales_from(values.subspan(first_scale + c * kScales, kScales),
                                            values[ranges.size()], options.overhead);
      CardByMath scaled = on_basis(data.cards[cards[c]], basis);
      for (auto& card : scaled) card = scales.apply(card);
      for (const Sample* sample : rows[c]) {
        const double seconds =
            family.estimate(sample->op, scaled[index(sample->op.math)], constants).seconds +
            scales.overhead;
        out[at++] = std::log(sample->seconds / seconds);
      }
    }
    const double unit = kLossScale * row_weight;
    for (std::size_t c = 0; c < cards.size(); ++c) {
      const auto scales = values.subspan(first_scale + c * kScales, kScales);
      out[at++] = scales[0] / options.scale_prior * unit;
      out[at++] = scales[1] / options.scale_prior * unit;
      out[at++] = scales[2] / options.overhead_prior * unit;
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      // Weak: a constant that the rows do not tell stays where it starts.
      const auto& range = ranges[i];
      const double away = range.low > 0
                              ? std::log(values[i] / range.start) / 1.5
                              : (values[i] - range.start) / (0.5 * (range.high - range.low));
      out[at++] = away * 0.3 * unit;
    }
  };
  LeastSquaresOptions search;
  search.loss_scale = kLossScale;
  search.robust = count;
  const LeastSquaresResult found = minimise(residuals, count + priors, unknowns, search);

  FamilyFit fit;
  fit.constants.assign(found.values.begin(),
                       found.values.begin() + static_cast<long>(ranges.size()));
  const double mean_overhead = found.values[ranges.size()];
  std::array<double, kScales> sum{};
  std::array<double, kScales> squares{};
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const auto values = std::span(found.values).subspan(first_scale + c * kScales, kScales);
    fit.cards[cards[c]] = scales_from(values, mean_overhead, options.overhead);
    for (std::size_t i = 0; i < kScales; ++i) {
      sum[i] += values[i];
      squares[i] += values[i] * values[i];
    }
  }
  const double n = static_cast<double>(cards.size());
  std::array<double, kScales> mean{};
  std::array<double, kScales> spread{};
  for (std::size_t i = 0; i < kScales; ++i) {
    mean[i] = sum[i] / n;
    const double variance =
        n > 1 ? std::max(0.0, (squares[i] - n * mean[i] * mean[i]) / (n - 1)) : 0.0;
    spread[i] = std::sqrt(variance);
  }
  fit.mean = scales_from(mean, mean_overhead, options.overhead);
  fit.spread = {spread[0], spread[1], spread[2]};
  std::vector<double> values(count + priors);
  residuals(found.values, values);
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += std::min(0.25, values[i] * values[i]);
  fit.sigma = std::sqrt(total / std::max(1.0, static_cast<double>(count)));
  return fit;
}

CardScales fit_scales(const predict::OpFamily& family, const FamilyFit& fit,
                      std::span<const Sample> timed, const CardByMath& card,
                      const FitOptions& options) {
  const std::vector<Unknown> unknowns(kScales, Unknown{0.0, -1.5, 1.5});
  // Cards are few: their spread is not believed to be less than this.
  const double least = 0.08;
  const std::array<double, kScales> prior = {std::max(least, fit.spread.compute),
                                             std::max(least, fit.spread.memory),
                                             std::max(least, fit.spread.overhead)};
  const double noise = std::max(0.05, fit.sigma);
  const auto at_values = [&](std::span<const double> values) {
    CardScales scales = fit.mean;
    scales.compute += values[0];
    scales.memory += values[1];
    scales.overhead *= std::exp(values[2]);
    return scales;
  };
  const auto residuals = [&](std::span<const double> values, std::span<double> out) {
    const CardScales scales = at_values(values);
    std::size_t at = 0;
    for (const Sample& sample : timed) {
      const double seconds =
          predict_seconds(family, fit, sample.op, card[index(sample.op.math)], scales);
      out[at++] = std::log(sample.seconds / seconds) / noise;
    }
    for (std::size_t i = 0; i < kScales; ++i) out[at++] = values[i] / prior[i];
  };
  (void)options;
  LeastSquaresOptions search;
  search.loss_scale = 1.5;
  search.robust = timed.size();
  return at_values(minimise(residuals, timed.size() + kScales, unknowns, search).values);
}

}  // namespace uplift::fit
