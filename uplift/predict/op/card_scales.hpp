// SPDX-License-Identifier: Apache-2.0
// What is peculiar to one card and one way of timing: how far the card's real ceilings are from
// those of its basis, and what a timed call pays on top of the kernel. A few timed operations tell.
#pragma once

#include "uplift/predict/op/op_family.hpp"
#include "uplift/predict/op/source_carry.hpp"

#include <array>
#include <cmath>
#include <span>

namespace uplift::predict {

struct CardScales {
  double compute = 0;   ///< ln of real over basis ceiling, arithmetic
  double memory = 0;    ///< likewise, DRAM and links between GPUs
  double overhead = 0;  ///< s that every timed call took besides its kernel

  [[nodiscard]] OpCard apply(OpCard card) const {
    card.rate *= std::exp(compute);
    card.cuda_core_rate *= std::exp(compute);
    card.stream *= std::exp(memory);
    card.peer *= std::exp(memory);
    return card;
  }
};

/// How much the scales differ from card to card: standard deviations, of the overhead in its ln.
struct ScaleSpread {
  double compute = 0.3;
  double memory = 0.3;
  double overhead = 0.3;
};

/// One card on one basis, for every format.
using CardByMath = std::array<OpCard, kMaths.size()>;

[[nodiscard]] CardByMath describe_card(const model::GpuModel& gpu);

/// An operation and what one call of it took.
struct TimedOp {
  Op op;
  double seconds = 0;     ///< > 0
  CallFactors factors{};  ///< to expect, where another card timed the same call
};

/// Most probable scales of a card given `timed` on it, where cards have `mean` within `spread` and
/// times are within `noise` (sd of ln) of the formula. Without timed operations: `mean`.
[[nodiscard]] CardScales fit_scales(const OpFamily& family, std::span<const double> constants,
                                    std::span<const TimedOp> timed, const CardByMath& card,
                                    const CardScales& mean, const ScaleSpread& spread,
                                    double noise);

}  // namespace uplift::predict
