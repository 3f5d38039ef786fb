// SPDX-License-Identifier: Apache-2.0
// Timings of additions and powers on made cards, whose constants and scales are known.
#pragma once

#include "tests/unit/predict/op/hand_made_card.hpp"
#include "uplift/fit/dataset.hpp"
#include "uplift/predict/op/elementwise_time.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace uplift::fit {

/// Of the formula of elementwise operations; no scale of a card can stand for any of them.
inline constexpr predict::ElementwiseConstants kTrueConstants = {1.0, 0.3, 120};

inline FitCard made_card(std::string id, double size, bool with_launch) {
  predict::OpCard card = predict::hand_made_card();
  card.sms *= size;
  card.stream *= size;
  card.rate *= size;
  card.cuda_core_rate *= size;
  card.peak *= size;
  card.l2_bytes *= size;
  FitCard made;
  made.id = std::move(id);
  made.datasheet.fill(card);
  made.published.fill(card);
  made.with_launch = with_launch;
  return made;
}

inline Op made_op(std::size_t i) {
  const auto n = static_cast<std::int64_t>(
      std::exp2(17.0 + 11.0 * std::fmod(0.618 * static_cast<double>(i), 1.0)));
  const ElementwiseShape shape = i % 3 == 0   ? ElementwiseShape{n, 1, 1, ElementwiseOp::kPow}
                                 : i % 3 == 1 ? ElementwiseShape{n, 1, 1, ElementwiseOp::kRelu}
                                              : ElementwiseShape{n, 2, 1, ElementwiseOp::kAdd};
  return predict::make_op(OpKind::kElementwise, shape);
}

/// `rows` operations on each card, which is `scales` off its numbers; times scatter by `noise`.
inline Dataset made_timings(std::vector<FitCard> cards,
                            const std::vector<predict::CardScales>& scales, std::size_t rows,
                            double noise) {
  Dataset data;
  data.cards = std::move(cards);
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (std::size_t card = 0; card < data.cards.size(); ++card) {
    const predict::OpCard real = scales[card].apply(data.cards[card].published[0]);
    for (std::size_t i = 0; i < rows; ++i) {
      const Op op = made_op(i);
      const double seconds =
          predict::estimate_elementwise(op, real, kTrueConstants).seconds + scales[card].overhead;
      data.samples.push_back(
          {card, static_cast<std::uint32_t>(i), {op, seconds * std::exp(noise * normal(random))}});
    }
  }
  return data;
}

inline const std::vector<predict::CardScales> kFourScales = {
    {0.05, -0.04, 15e-6}, {-0.03, 0.02, 20e-6}, {0.02, 0.05, 18e-6}, {-0.04, -0.03, 25e-6}};

/// Four cards, off by a few percent, their calls timed with 15 to 25 us of launch.
inline Dataset four_cards(double noise) {
  return made_timings({made_card("small", 0.3, true), made_card("middle", 1.0, true),
                       made_card("large", 1.7, true), made_card("huge", 3.0, true)},
                      kFourScales, 150, noise);
}

}  // namespace uplift::fit
