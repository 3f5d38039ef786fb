// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/family_predictor.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::predict {
namespace {

/// Cards are few, so their spread is not believed to be smaller than this.
constexpr double kLeastSpread = 0.06;

}  // namespace

FamilyPredictor::FamilyPredictor(const OpFamily& family, const FamilyKnowledge& learnt,
                                 const CardByMath& card, Knowledge knowledge,
                                 std::span<const TimedOp> timed, std::optional<double> overhead)
    : family_(&family), learnt_(&learnt), knowledge_(static_cast<std::size_t>(knowledge)) {
  CardScales mean = learnt.mean[knowledge_];
  if (overhead) mean.overhead = *overhead;
  ScaleSpread spread = learnt.spread[knowledge_];
  spread.compute = std::max(spread.compute, kLeastSpread);
  spread.memory = std::max(spread.memory, kLeastSpread);
  spread.overhead = std::max(spread.overhead, kLeastSpread);
  scales_ = fit_scales(family, learnt.constants, timed, card, mean, spread, learnt.noise);
  for (std::size_t i = 0; i < scaled_.size(); ++i) scaled_[i] = scales_.apply(card[i]);
  std::vector<Features> places;
  std::vector<double> values;
  for (const TimedOp& one : timed) {
    places.push_back(family.features(one.op));
    values.push_back(deviation(one));
  }
  field_ = ResidualField(learnt.field[knowledge_], places, values);
}

OpTime FamilyPredictor::formula(const Op& op) const {
  return family_->estimate(op, scaled_[index(op.math)], learnt_->constants);
}

double FamilyPredictor::deviation(const TimedOp& timed) const {
  const CallTime expected = source_call(formula(timed.op), timed.seconds).expected;
  const double seconds =
      expected.kernel * timed.factors.kernel + expected.overhead * timed.factors.overhead;
  return std::clamp(std::log(timed.seconds / seconds), -1.0, 1.0);
}

FamilyPredictor::Answer FamilyPredictor::predict(const Op& op, const SourceCall* source) const {
  Answer answer;
  answer.formula = formula(op);
  const CallTime expected{answer.formula.seconds, scales_.overhead};
  const Deviation deviation = field_.at(field_.empty() ? Features{} : family_->features(op));
  CallFactors factors;
  double variance = deviation.variance;
  if (source != nullptr) {
    factors = carry_factors(learnt_->carry, *source);
    variance *= untold_share(learnt_->carry, *source, expected);
  }
  answer.seconds = (expected.kernel * factors.kernel + expected.overhead * factors.overhead) *
                   std::exp(deviation.mean);
  if (knowledge_ != static_cast<std::size_t>(Knowledge::kMeasured)) {
    const ScaleSpread& spread = learnt_->spread[knowledge_];
    const bool compute = answer.formula.bound == Bound::kCompute;
    const double ceiling = compute ? spread.compute : spread.memory;
    variance += ceiling * ceiling;
  }
  answer.log_deviation = std::sqrt(variance);
  answer.log_half_width = learnt_->interval[knowledge_] * answer.log_deviation;
  return answer;
}

}  // namespace uplift::predict
