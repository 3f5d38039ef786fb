// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/card_scales.hpp"

#include "uplift/numeric/least_squares.hpp"

#include <vector>

namespace uplift::predict {

CardByMath describe_card(const model::GpuModel& gpu) {
  CardByMath card;
  for (const Math math : kMaths) card[index(math)] = describe_card(gpu, math);
  return card;
}

CardScales fit_scales(const OpFamily& family, std::span<const double> constants,
                      std::span<const TimedOp> timed, const CardByMath& card,
                      const CardScales& mean, const ScaleSpread& spread, double noise) {
  if (timed.empty()) return mean;
  const std::array prior = {spread.compute, spread.memory, spread.overhead};
  const auto at_values = [&](std::span<const double> values) {
    return CardScales{mean.compute + values[0], mean.memory + values[1],
                      mean.overhead * std::exp(values[2])};
  };
  const auto residuals = [&](std::span<const double> values, std::span<double> out) {
    const CardScales scales = at_values(values);
    CardByMath scaled;
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] = scales.apply(card[i]);
    std::size_t at = 0;
    for (const TimedOp& one : timed) {
      const double seconds =
          family.estimate(one.op, scaled[index(one.op.math)], constants).seconds *
              one.factors.kernel +
          scales.overhead * one.factors.overhead;
      out[at++] = std::log(one.seconds / seconds) / noise;
    }
    for (std::size_t i = 0; i < prior.size(); ++i) out[at++] = values[i] / prior[i];
  };
  numeric::LeastSquaresOptions search;
  search.loss_scale = 1.5;
  search.robust = timed.size();
  const std::vector<numeric::Unknown> unknowns(prior.size(), numeric::Unknown{0.0, -2.0, 2.0});
  return at_values(
      numeric::minimise(residuals, timed.size() + prior.size(), unknowns, search).values);
}

}  // namespace uplift::predict
