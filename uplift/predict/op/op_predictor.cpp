// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/op_predictor.hpp"

#include "uplift/predict/op/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace uplift::predict {
namespace {

/// Fewer times than these say too little of a card's ceilings.
constexpr std::size_t kFewestTimes = 6;
/// More do not say more.
constexpr std::size_t kMostTimes = 300;
/// Beyond this factor between the prediction and the ratio of the cards, one of them is told.
constexpr double kWideGap = 1.6;

Knowledge knowledge_of(const model::GpuModel& gpu, bool timed) {
  if (timed) return Knowledge::kMeasured;
  return gpu.basis == model::Basis::kDatasheet ? Knowledge::kDatasheet : Knowledge::kPublished;
}

std::size_t index_of(const OpFamily& family) {
  const auto families = op_families();
  return static_cast<std::size_t>(std::find(families.begin(), families.end(), &family) -
                                  families.begin());
}

std::vector<TimedOp> timed_of(const OpFamily& family, std::span<const TimedOp> timed,
                              const model::GpuModel& gpu) {
  std::vector<TimedOp> own;
  for (const TimedOp& one : timed) {
    const Op run = as_run(one.op, gpu);
    if (family_of(run) == &family) own.push_back({run, one.seconds, one.factors});
  }
  return own;
}

double misfit(const FamilyPredictor& predictor, std::span<const TimedOp> timed) {
  double sum = 0;
  for (const TimedOp& one : timed) {
    sum += std::min(0.3, std::abs(predictor.deviation(one)));
  }
  return sum;
}

/// s of a launch between what these times say and what is usual: calls that are long against it say
/// little of it.
double settle_overhead(double seen, double usual, std::span<const TimedOp> timed) {
  constexpr double kTelling = 0.1;  // share of a call from which it is well told; by judgement
  if (seen <= 0 || usual <= 0) return seen;
  std::vector<double> seconds;
  for (const TimedOp& one : timed) seconds.push_back(one.seconds);
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  const double weight = std::min(1.0, seen / *middle / kTelling);
  return usual * std::pow(seen / usual, weight);
}

/// Time on the source times the ratio of the two cards' data: what a data sheet would say.
double scale_by_ratio(const Op& op, const OpTime& time, double seconds,
                      const model::GpuModel& source, const model::GpuModel& target) {
  const std::size_t math = index(op.math);
  switch (time.bound) {
    case Bound::kCompute:
      return seconds * (source.tensor.sustained[math] / target.tensor.sustained[math]);
    case Bound::kComm:
      return seconds * (source.copy.peer / target.copy.peer);
    case Bound::kCopy:
      return seconds * (source.copy.host_pinned / target.copy.host_pinned);
    case Bound::kMemory:
    case Bound::kCache:
    case Bound::kLaunch:
    case Bound::kHost:
      break;
  }
  return seconds * (source.memory.stream / target.memory.stream);
}

}  // namespace

double OpPredictor::overhead_of(const OpFamily& family) const {
  return overheads_.empty() ? 0.0 : overheads_[index_of(family)].value_or(overhead_);
}

OpPredictor::Side OpPredictor::build_side(const OpCardInput& input) const {
  Side side;
  side.gpu = input.gpu;
  if (side.gpu == nullptr) return side;
  const CardByMath card = describe_card(*side.gpu);
  for (const OpFamily* family : op_families()) {
    const auto timed = timed_of(*family, input.timed, *side.gpu);
    // Operations of a profile were timed without their launch.
    auto predictor = std::make_shared<FamilyPredictor>(
        *family, constants_->of(*family).knowledge, card, knowledge_of(*side.gpu, !timed.empty()),
        timed, timed.empty() ? overhead_of(*family) : 0.0);
    predictor->set_overhead(overhead_of(*family));
    side.families.push_back(std::move(predictor));
  }
  return side;
}

OpPredictor::OpPredictor(const OpConstants& constants, const OpCardInput& source,
                         const OpCardInput& target)
    : constants_(&constants) {
  source_ = build_side(source);
  plain_source_ = source_;
  set_target(target);
}

OpPredictor OpPredictor::with_target(const OpCardInput& target) const {
  OpPredictor other = *this;
  other.set_target(target);
  return other;
}

void OpPredictor::set_target(const OpCardInput& target) {
  target_input_ = target;
  target_ = build_side(target);
  constexpr ComputeCapability kFirstUnseen{10, 0};
  constexpr double kUnseen = 1.3;  // by judgement: no public timings of such cards went into a fit
  const bool unseen = target.gpu->compute_capability >= kFirstUnseen ||
                      (source_.gpu != nullptr && source_.gpu->compute_capability >= kFirstUnseen);
  doubt_ = unseen ? kUnseen : 1.0;
  // With operations timed on the target those tell more than another card of its kind.
  same_kernels_ = source_.gpu != nullptr &&
                  source_.gpu->compute_capability == target.gpu->compute_capability &&
                  (target.timed.empty() || source_.gpu->id == target.gpu->id);
}

void OpPredictor::learn(std::span<const TimedOp> timed, bool with_launch) {
  if (source_.gpu == nullptr) return;
  const CardByMath card = describe_card(*source_.gpu);
  std::vector<double> learnt;
  overheads_.assign(op_families().size(), std::nullopt);
  for (const OpFamily* family : op_families()) {
    std::vector<TimedOp> own = timed_of(*family, timed, *source_.gpu);
    if (own.size() < kFewestTimes) continue;
    if (own.size() > kMostTimes) {
      std::vector<TimedOp> fewer;
      for (std::size_t i = 0; i < kMostTimes; ++i) {
        fewer.push_back(own[i * own.size() / kMostTimes]);
      }
      own = std::move(fewer);
    }
    const std::size_t i = index_of(*family);
    const FamilyKnowledge& knowledge = constants_->of(*family).knowledge;
    const Knowledge known = knowledge_of(*source_.gpu, false);
    auto bare = std::make_shared<const FamilyPredictor>(*family, knowledge, card, known, own, 0.0);
    double overhead = 0;
    if (with_launch) {
      // Single calls of an eager framework pay tens of microseconds besides their kernel, which
      // long kernels hardly show; tables of kernel times have short ones, which no launch fits. So
      // a launch is taken to be there unless it is clearly the worse explanation.
      constexpr double kClearlyBetter = 0.85;
      auto launched = std::make_shared<const FamilyPredictor>(*family, knowledge, card, known, own,
                                                              std::nullopt);
      if (misfit(*bare, own) >= kClearlyBetter * misfit(*launched, own)) {
        overhead = settle_overhead(launched->scales().overhead,
                                   knowledge.mean[static_cast<std::size_t>(known)].overhead, own);
        bare = std::move(launched);
      }
    }
    source_.families[i] = std::move(bare);
    overheads_[i] = overhead;
    learnt.push_back(overhead);
  }
  if (learnt.empty()) return;
  std::nth_element(learnt.begin(), learnt.begin() + static_cast<std::ptrdiff_t>(learnt.size() / 2),
                   learnt.end());
  overhead_ = learnt[learnt.size() / 2];
  target_ = build_side(target_input_);
}

OpPredictor::Answer OpPredictor::predict(const Op& op, std::optional<double> source_seconds) const {
  Answer answer;
  const Op run = as_run(op, *target_.gpu);
  const OpFamily* family = family_of(run);
  if (family == nullptr) {
    answer.note = "the shape says too little to predict from";
    return answer;
  }
  const FamilyPredictor& on_target = *target_.families[index_of(*family)];
  SourceCall call;
  const SourceCall* seen = nullptr;
  const bool from_source = source_seconds && source_.gpu != nullptr;
  if (from_source) {
    const Op ran = as_run(op, *source_.gpu);
    if (const OpFamily* source_family = family_of(ran)) {
      const FamilyPredictor& on_source = *source_.families[index_of(*source_family)];
      const OpTime there = on_source.formula(ran);
      answer.source_l2_share = there.l2_share;
      answer.naive = scale_by_ratio(op, there, *source_seconds, *source_.gpu, *target_.gpu);
      // Another format is another kernel: its deviation says nothing.
      if (source_family == family && ran.math == run.math) {
        call = on_source.source_call(there, *source_seconds);
        seen = &call;
      }
    }
  }
  const FamilyPredictor::Answer found = on_target.predict(run, seen);
  answer.answered = true;
  answer.seconds = found.seconds;
  answer.narrowing = found.narrowing;
  double width = found.log_half_width * doubt_;
  // Cards of one compute capability run the same kernels: what makes one fast or slow on the source
  // does so on the target, so the ratio of the formulas tells more than the formula.
  if (seen != nullptr && same_kernels_) {
    const std::size_t i = index_of(*family);
    const double there = plain_source_.families[i]->formula(run).seconds;
    const double here = found.formula.seconds;
    const double kernel = std::max(*source_seconds - overhead_of(*family), 0.1 * *source_seconds);
    answer.seconds = (*source_seconds - kernel) + kernel * here / there;
    answer.narrowing = 1;
    // As in data/model/parameters.toml, interval.same_capability.
    constexpr double kSameCapability = 0.6;
    width *= source_.gpu->id == target_.gpu->id ? 0.0 : kSameCapability;
  }
  answer.low = answer.seconds * std::exp(-width);
  answer.high = answer.seconds * std::exp(width);
  answer.bound = found.formula.bound;
  answer.l2_share = found.formula.l2_share;
  if (run.math != op.math) {
    answer.note = fmt::format("runs in {} on this card", word(run.math));
  } else if (answer.naive > 0) {
    const double gap = answer.seconds / answer.naive;
    if (gap > kWideGap || gap < 1.0 / kWideGap) {
      answer.note = fmt::format("{:.2f} x what the ratio of the cards says", gap);
    }
  }
  return answer;
}

}  // namespace uplift::predict
