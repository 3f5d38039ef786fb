// SPDX-License-Identifier: Apache-2.0
// Predicts the operations of one family on one card from whatever evidence there is: the shape, the
// card's numbers, operations timed on the card, and the time of the same operation on another card.
// docs/operations.md, section 5.
#pragma once

#include "uplift/predict/op/family_knowledge.hpp"

#include <optional>
#include <span>

namespace uplift::predict {

class FamilyPredictor {
 public:
  struct Answer {
    double seconds = 0;
    double log_half_width = 0;  ///< 90 %: seconds / e^w … seconds e^w
    double log_deviation = 0;   ///< predicted sd of ln seconds, before the interval's factor
    OpTime formula;             ///< of the kernel alone, before deviations and overhead
  };

  /// `timed`: operations timed on this card; with any, `knowledge` is kMeasured. `overhead`: what
  /// calls are known to pay besides their kernel, s; empty: what the fit saw.
  FamilyPredictor(const OpFamily& family, const FamilyKnowledge& learnt, const CardByMath& card,
                  Knowledge knowledge, std::span<const TimedOp> timed,
                  std::optional<double> overhead);

  /// `source`: the same operation on another card, or nullptr.
  [[nodiscard]] Answer predict(const Op& op, const SourceCall* source) const;

  /// The kernel's own time by the formula alone.
  [[nodiscard]] OpTime formula(const Op& op) const;

  /// A call that took `seconds` on this card, against `formula`: what it has to say about another.
  [[nodiscard]] SourceCall source_call(const OpTime& formula, double seconds) const {
    return {{formula.seconds, scales_.overhead}, seconds};
  }

  /// ln of the seconds of `timed` over what is expected.
  [[nodiscard]] double deviation(const TimedOp& timed) const;

  [[nodiscard]] const CardScales& scales() const { return scales_; }

 private:
  const OpFamily* family_;
  const FamilyKnowledge* learnt_;
  std::size_t knowledge_;
  CardScales scales_;
  ScaleSpread spread_;
  CardByMath scaled_;
  ResidualField field_;
};

}  // namespace uplift::predict
