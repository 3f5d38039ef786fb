// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/family_study.hpp"

#include "uplift/fit/calibration_set.hpp"
#include "uplift/fit/carry_study.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace uplift::fit {
namespace {

using predict::CardByMath;
using predict::CardScales;
using predict::FamilyKnowledge;
using predict::FamilyPredictor;
using predict::Features;
using predict::FieldConstants;
using predict::Knowledge;
using predict::SourceCall;
using predict::TimedOp;

/// How often a fit and what it shows of single calls' overheads follow each other.
constexpr std::size_t kCarryRounds = 2;

constexpr std::size_t index(Knowledge knowledge) { return static_cast<std::size_t>(knowledge); }

/// sd of values about their mean; 0 for fewer than two.
double spread_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

/// How far `card`'s two bases are apart in the formats of its samples, ln.
CardScales basis_gap(const Dataset& data, std::size_t card) {
  const auto samples = samples_of(data, card, 200);
  CardScales gap;
  for (const Sample* sample : samples) {
    const std::size_t math = uplift::index(sample->timed.op.math);
    const auto& datasheet = data.cards[card].datasheet[math];
    const auto& published = data.cards[card].published[math];
    gap.compute += std::log(published.rate / datasheet.rate);
    gap.memory += std::log(published.stream / datasheet.stream);
  }
  const double n = std::max(1.0, static_cast<double>(samples.size()));
  return {gap.compute / n, gap.memory / n, 0};
}

/// The spread of few cards is not known from them: no less than what ceilings of cards in general
/// differ by from their basis, which the families with five and more cards show.
double believed_spread(std::span<const double> values, double usual) {
  constexpr std::size_t kEnough = 5;
  const double seen = spread_of(values);
  if (values.size() >= kEnough) return seen;
  const double n = static_cast<double>(values.size());
  const double weight = std::max(0.0, n - 1.0) / (kEnough - 1.0);
  return std::sqrt(weight * seen * seen + (1.0 - weight) * usual * usual);
}

void learn_scales(FamilyKnowledge& learnt, const FamilyFit& fit, const Dataset& data) {
  for (const Knowledge knowledge : predict::kKnowledges) {
    std::vector<double> compute;
    std::vector<double> memory;
    std::vector<double> overhead;
    for (const auto& [card, scales] : fit.cards) {
      const CardScales gap =
          knowledge == Knowledge::kDatasheet ? basis_gap(data, card) : CardScales{};
      compute.push_back(scales.compute + gap.compute);
      memory.push_back(scales.memory + gap.memory);
      if (data.cards[card].with_launch) overhead.push_back(std::log(scales.overhead));
    }
    learnt.mean[index(knowledge)] = {mean_of(compute), mean_of(memory),
                                     overhead.empty() ? 0.0 : std::exp(mean_of(overhead))};
    constexpr double kUsualSpread = 0.10;
    learnt.spread[index(knowledge)] = {believed_spread(compute, kUsualSpread),
                                       believed_spread(memory, kUsualSpread), spread_of(overhead)};
  }
}

struct TimedSet {
  std::vector<std::size_t> chosen;  ///< indices into the samples they were chosen from
  std::vector<TimedOp> operations;
};

TimedSet choose_timed(const predict::OpFamily& family, std::span<const Sample* const> samples,
                      std::size_t count) {
  std::vector<Features> places;
  places.reserve(samples.size());
  for (const Sample* sample : samples) places.push_back(family.features(sample->timed.op));
  TimedSet set;
  set.chosen = choose_representatives(places, count);
  for (const std::size_t i : set.chosen) set.operations.push_back(samples[i]->timed);
  return set;
}

/// What calls on the card pay besides their kernel: what the fit saw, or nothing.
std::optional<double> overhead_of(const FitCard& card) {
  return card.with_launch ? std::nullopt : std::optional(0.0);
}

/// One card of the fit, as if a few of its operations had been timed.
struct FieldCase {
  std::vector<Features> places, timed_places;
  std::vector<double> values, timed_values;
};

FieldCase field_case(const predict::OpFamily& family, const FamilyKnowledge& learnt,
                     const Dataset& data, std::size_t card, std::size_t timed) {
  const auto samples = samples_of(data, card, 400);
  const TimedSet set = choose_timed(family, samples, timed);
  const FamilyPredictor known(family, learnt, data.cards[card].published, Knowledge::kMeasured,
                              set.operations, overhead_of(data.cards[card]));
  FieldCase one;
  for (const Sample* sample : samples) {
    one.places.push_back(family.features(sample->timed.op));
    one.values.push_back(known.deviation(sample->timed));
  }
  for (const std::size_t i : set.chosen) {
    one.timed_places.push_back(one.places[i]);
    one.timed_values.push_back(one.values[i]);
  }
  return one;
}

double field_error(const FieldConstants& constants, const FieldCase& one) {
  const predict::ResidualField field(constants, one.timed_places, one.timed_values);
  double sum = 0;
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    sum += std::abs(field.at(one.places[i]).mean - one.values[i]);
  }
  return sum / static_cast<double>(one.values.size());
}

/// The covariance constants that would have served best on the cards of the fit, each treated as a
/// card on which a few operations are timed.
FieldConstants learn_field(const predict::OpFamily& family, const FamilyKnowledge& learnt,
                           const FamilyFit& fit, const Dataset& data, std::size_t timed) {
  std::vector<FieldCase> cases;
  double squares = 0;
  double count = 0;
  for (const auto& [card, scales] : fit.cards) {
    cases.push_back(field_case(family, learnt, data, card, timed));
    for (const double value : cases.back().values) squares += std::min(0.25, value * value);
    count += static_cast<double>(cases.back().values.size());
  }
  FieldConstants best;
  best.variance = std::max(1e-4, squares / std::max(1.0, count));
  double least = std::numeric_limits<double>::infinity();
  for (const double reach : {0.3, 0.7, 1.5, 3.0, 6.0}) {
    for (const double nugget : {0.05, 0.2, 0.4, 0.7, 0.95}) {
      const FieldConstants constants{best.variance, reach, nugget};
      double error = 0;
      for (const FieldCase& one : cases) error += field_error(constants, one);
      if (error < least) {
        least = error;
        best = constants;
      }
    }
  }
  return best;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Each card predicted by the others: how many predicted standard deviations hold 90 % of the
/// operations of all, every card counting the same. Operations of one card err alike, so it is the
/// cards that are exchangeable: a card that is off as a whole takes its full part of the quantile.
std::array<double, 3> learn_intervals(const predict::OpFamily& family, const Dataset& data,
                                      std::span<const std::size_t> cards, const FamilyFit& fit,
                                      const StudyOptions& options) {
  constexpr double kFewCards = 2.5;  // by judgement, where no card can be left out
  constexpr std::size_t kStandFor = 200;
  // By judgement: the next card may be unlike these few, unless it is known by its own timings.
  constexpr std::array<double, 3> kMargin = {1.1, 1.1, 1.0};
  std::array<std::vector<double>, 3> pooled;
  for (const std::size_t target : cards) {
    std::vector<std::size_t> others;
    for (const std::size_t card : cards) {
      if (data.cards[card].id != data.cards[target].id) others.push_back(card);
    }
    if (others.empty()) continue;
    StudyOptions inner = options;
    inner.intervals = false;
    const FamilyKnowledge learnt = study_family(family, data, others, inner);
    // How long a host takes to launch is no property of the card.
    inner.overhead = fit.cards.at(target).overhead;
    for (const Knowledge knowledge : predict::kKnowledges) {
      std::vector<double> sizes;
      for (const Prediction& one :
           predict_card(family, learnt, data, target, {}, knowledge, 1000, inner)) {
        sizes.push_back(std::abs(std::log(one.sample->timed.seconds / one.seconds)) /
                        one.log_deviation);
      }
      // Evenly spaced quantiles stand for the card, however many operations it has.
      std::sort(sizes.begin(), sizes.end());
      for (std::size_t i = 0; i < kStandFor && !sizes.empty(); ++i) {
        pooled[index(knowledge)].push_back(sizes[(2 * i + 1) * sizes.size() / (2 * kStandFor)]);
      }
    }
  }
  std::array<double, 3> factors{};
  for (std::size_t i = 0; i < factors.size(); ++i) {
    factors[i] = pooled[i].empty() ? kFewCards : kMargin[i] * quantile(pooled[i], 0.9);
  }
  return factors;
}

/// The operations of `source`, by group; what is peculiar to the card shows in its own rows.
std::unordered_map<std::uint32_t, SourceCall> source_calls(const predict::OpFamily& family,
                                                           const FamilyKnowledge& learnt,
                                                           const Dataset& data, std::size_t source,
                                                           Knowledge knowledge) {
  std::vector<TimedOp> few;
  for (const Sample* sample : samples_of(data, source, 300)) few.push_back(sample->timed);
  const FamilyPredictor known(family, learnt,
                              data.cards[source].on(knowledge == Knowledge::kDatasheet), knowledge,
                              few, overhead_of(data.cards[source]));
  std::unordered_map<std::uint32_t, SourceCall> calls;
  for (const Sample* sample : samples_of(data, source)) {
    calls.emplace(sample->group,
                  known.source_call(known.formula(sample->timed.op), sample->timed.seconds));
  }
  return calls;
}

}  // namespace

FamilyKnowledge study_family(const predict::OpFamily& family, const Dataset& data,
                             std::span<const std::size_t> cards, const StudyOptions& options) {
  FamilyFit fit = fit_family(family, data, cards, options.fit);
  FamilyKnowledge learnt;
  Dataset cleared = data;
  for (std::size_t round = 0; round < kCarryRounds; ++round) {
    set_overhead_factors(family, fit, learn_carry(family, fit, data), cleared);
    fit = fit_family(family, cleared, cards, options.fit);
  }
  learnt.carry = learn_carry(family, fit, data);
  learnt.carry.kernel_shared = std::max(learnt.carry.kernel_shared, family.carried());
  learnt.constants = fit.constants;
  learnt.noise = fit.noise;
  for (const std::size_t card : cards) learnt.fitted_on.push_back(data.cards[card].id);
  learn_scales(learnt, fit, data);
  learnt.field.fill(learn_field(family, learnt, fit, cleared, options.timed));
  if (options.intervals) learnt.interval = learn_intervals(family, data, cards, fit, options);
  // Peaks never promise more than published figures do, by whatever luck on these cards.
  auto& datasheet = learnt.spread[index(Knowledge::kDatasheet)];
  const auto& published = learnt.spread[index(Knowledge::kPublished)];
  datasheet.compute = std::max(datasheet.compute, published.compute);
  datasheet.memory = std::max(datasheet.memory, published.memory);
  learnt.interval[index(Knowledge::kDatasheet)] = std::max(
      learnt.interval[index(Knowledge::kDatasheet)], learnt.interval[index(Knowledge::kPublished)]);
  return learnt;
}

std::vector<Prediction> predict_card(const predict::OpFamily& family, const FamilyKnowledge& learnt,
                                     const Dataset& data, std::size_t target,
                                     std::span<const std::size_t> sources, Knowledge knowledge,
                                     std::size_t rows, const StudyOptions& options) {
  const auto samples = samples_of(data, target, rows);
  TimedSet set;
  if (knowledge == Knowledge::kMeasured) set = choose_timed(family, samples, options.timed);
  const CardByMath& card = data.cards[target].on(knowledge == Knowledge::kDatasheet);
  const auto overhead = options.overhead ? options.overhead : overhead_of(data.cards[target]);
  const auto is_timed = [&](std::size_t i) {
    return std::find(set.chosen.begin(), set.chosen.end(), i) != set.chosen.end();
  };
  std::vector<Prediction> predictions;
  const auto add = [&](const FamilyPredictor& predictor, const Sample& sample, std::size_t source,
                       const SourceCall* seen) {
    const auto answer = predictor.predict(sample.timed.op, seen);
    predictions.push_back(
        {target, source, &sample, answer.seconds, answer.log_half_width, answer.log_deviation});
  };
  if (sources.empty()) {
    const FamilyPredictor predictor(family, learnt, card, knowledge, set.operations, overhead);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (!is_timed(i)) add(predictor, *samples[i], target, nullptr);
    }
    return predictions;
  }
  for (const std::size_t source : sources) {
    const auto seen = source_calls(family, learnt, data, source, knowledge);
    std::vector<TimedOp> timed = set.operations;
    for (std::size_t i = 0; i < timed.size(); ++i) {
      const auto at = seen.find(samples[set.chosen[i]]->group);
      if (at != seen.end()) timed[i].factors = carry_factors(learnt.carry, at->second);
    }
    const FamilyPredictor predictor(family, learnt, card, knowledge, timed, overhead);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto at = seen.find(samples[i]->group);
      if (at != seen.end() && !is_timed(i)) add(predictor, *samples[i], source, &at->second);
    }
  }
  return predictions;
}

}  // namespace uplift::fit
