// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/family_predictor.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::predict {
namespace {

/// Cards are few, so their ceilings are not believed to differ less from card to card than this, by
/// Knowledge: what tools/ceiling_rules finds for boards left out of the data-sheet rule (mean |ln|
/// 0.077 FP32 and 0.045 DRAM, as standard deviations), and by judgement what two tools find on one
/// board where a figure is published.
constexpr std::array<ScaleSpread, 3> kLeastSpread = {
    {{0.096, 0.056, 0.06}, {0.06, 0.04, 0.06}, {0.06, 0.04, 0.06}}};

constexpr auto kMeasured = static_cast<std::size_t>(Knowledge::kMeasured);

ScaleSpread believed(const ScaleSpread& seen, std::size_t knowledge) {
  const ScaleSpread& least = kLeastSpread[knowledge];
  return {std::max(seen.compute, least.compute), std::max(seen.memory, least.memory),
          std::max(seen.overhead, least.overhead)};
}

}  // namespace

FamilyPredictor::FamilyPredictor(const OpFamily& family, const FamilyKnowledge& learnt,
                                 const CardByMath& card, Knowledge knowledge,
                                 std::span<const TimedOp> timed, std::optional<double> overhead)
    : family_(&family), learnt_(&learnt), knowledge_(static_cast<std::size_t>(knowledge)) {
  CardScales mean = learnt.mean[knowledge_];
  if (overhead) mean.overhead = *overhead;
  spread_ = believed(learnt.spread[knowledge_], knowledge_);
  scales_ = fit_scales(family, learnt.constants, timed, card, mean, spread_, learnt.noise);
  for (std::size_t i = 0; i < scaled_.size(); ++i) scaled_[i] = scales_.apply(card[i]);
  std::vector<Features> places;
  std::vector<double> values;
  // A profile has a dozen for each format; evenly, so that every format keeps some.
  const std::size_t count = std::min(timed.size(), ResidualField::kMostPlaces);
  for (std::size_t i = 0; i < count; ++i) {
    const TimedOp& one = timed[i * timed.size() / count];
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
  double untold = 1;
  if (source != nullptr) {
    factors = carry_factors(learnt_->carry, *source);
    untold = untold_share(learnt_->carry, *source, expected);
    variance *= untold;
  }
  answer.seconds = (expected.kernel * factors.kernel + expected.overhead * factors.overhead) *
                   std::exp(deviation.mean);
  if (knowledge_ != kMeasured) {
    const bool compute = answer.formula.bound == Bound::kCompute;
    const double ceiling = compute ? spread_.compute : spread_.memory;
    variance += ceiling * ceiling;
  }
  answer.log_deviation = std::sqrt(variance);
  answer.log_half_width = learnt_->interval[knowledge_] * answer.log_deviation;
  if (knowledge_ != kMeasured && answer.log_half_width > 0) {
    // As far from every timed operation as can be, so that no more is promised than comes true.
    const double then =
        learnt_->interval[kMeasured] * std::sqrt(learnt_->field[kMeasured].variance * untold);
    answer.narrowing = std::min(1.0, then / answer.log_half_width);
  }
  return answer;
}

}  // namespace uplift::predict
