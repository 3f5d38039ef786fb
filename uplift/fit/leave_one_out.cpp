// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/leave_one_out.hpp"

#include "uplift/fit/calibration_set.hpp"
#include "uplift/predict/op/residual_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace uplift::fit {
namespace {

using predict::Features;

struct Deviations {
  std::vector<const Sample*> samples;
  std::vector<Features> places;
  std::vector<double> values;  ///< ln of time over formula
};

Deviations deviations(const predict::OpFamily& family, const FamilyFit& fit,
                      std::span<const Sample* const> samples, const CardByMath& card,
                      const CardScales& scales) {
  Deviations found;
  for (const Sample* sample : samples) {
    const double seconds =
        predict_seconds(family, fit, sample->op, card[index(sample->op.math)], scales);
    found.samples.push_back(sample);
    found.places.push_back(family.features(sample->op));
    found.values.push_back(std::log(sample->seconds / seconds));
  }
  return found;
}

struct Timed {
  std::vector<std::size_t> chosen;
  CardScales scales;
};

/// Chooses the operations to time, and what their times say of the card's ceilings.
Timed time_operations(const predict::OpFamily& family, const FamilyFit& fit,
                      std::span<const Sample* const> samples, const CardByMath& card,
                      const LeaveOneOutOptions& options) {
  std::vector<Features> places;
  for (const Sample* sample : samples) places.push_back(family.features(sample->op));
  Timed timed;
  timed.chosen = choose_representatives(places, options.timed);
  std::vector<Sample> few;
  for (const std::size_t i : timed.chosen) few.push_back(*samples[i]);
  timed.scales = fit_scales(family, fit, few, card, options.fit);
  return timed;
}

std::vector<const Sample*> samples_of(const Dataset& data, std::size_t card, std::size_t most) {
  std::vector<const Sample*> all;
  for (const Sample& sample : data.samples) {
    if (sample.card == card) all.push_back(&sample);
  }
  if (all.size() <= most) return all;
  std::vector<const Sample*> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(all[i * all.size() / most]);
  return kept;
}

/// The covariance constants that would have served best on the cards of the fit, each treated as a
/// card on which a few operations are timed.
predict::FieldConstants fit_field(const predict::OpFamily& family, const FamilyFit& fit,
                                  const Dataset& data, FitBasis basis,
                                  const LeaveOneOutOptions& options) {
  struct Case {
    Deviations all;
    std::vector<Features> places;
    std::vector<double> values;
  };
  std::vector<Case> cases;
  double squares = 0;
  double count = 0;
  for (const auto& [card, own] : fit.cards) {
    const auto samples = samples_of(data, card, 400);
    const CardByMath& on = on_basis(data.cards[card], basis);
    const Timed timed = time_operations(family, fit, samples, on, options);
    Case one;
    one.all = deviations(family, fit, samples, on, timed.scales);
    for (const std::size_t i : timed.chosen) {
      one.places.push_back(one.all.places[i]);
      one.values.push_back(one.all.values[i]);
    }
    for (const double value : one.all.values) squares += std::min(0.25, value * value);
    count += static_cast<double>(one.all.values.size());
    cases.push_back(std::move(one));
  }
  predict::FieldConstants best;
  best.variance = std::max(1e-4, squares / std::max(1.0, count));
  double least = std::numeric_limits<double>::infinity();
  for (const double reach : {0.3, 0.7, 1.5, 3.0, 6.0}) {
    for (const double nugget : {0.05, 0.2, 0.4, 0.7, 0.95}) {
      predict::FieldConstants constants = best;
      constants.reach = reach;
      constants.nugget = nugget;
      double error = 0;
      for (const Case& one : cases) {
        const predict::ResidualField field(constants, one.places, one.values);
        double sum = 0;
        for (std::size_t i = 0; i < one.all.values.size(); ++i) {
          sum += std::min(1.0,
                          std::abs(field.at(one.all.places[i], nullptr).mean - one.all.values[i]));
        }
        error += sum / static_cast<double>(one.all.values.size());
      }
      if (error < least) {
        least = error;
        best.reach = reach;
        best.nugget = nugget;
      }
    }
  }
  return best;
}

/// Share of one card's deviation that another card shows at the same operation: the slope of one on
/// the other, each about its card's median, limited in size so that single timings do not set it.
double fit_shared(const predict::OpFamily& family, const FamilyFit& fit, const Dataset& data,
                  FitBasis basis) {
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::size_t, double>>> by_group;
  for (const auto& [card, scales] : fit.cards) {
    const auto samples = samples_of(data, card, 1000000);
    const auto all = deviations(family, fit, samples, on_basis(data.cards[card], basis), scales);
    for (std::size_t i = 0; i < all.values.size(); ++i) {
      by_group[all.samples[i]->group].emplace_back(card, std::clamp(all.values[i], -0.5, 0.5));
    }
  }
  double products = 0;
  double squares = 0;
  for (const auto& [group, values] : by_group) {
    for (const auto& a : values) {
      for (const auto& b : values) {
        if (a.first == b.first) continue;
        products += a.second * b.second;
        squares += a.second * a.second;
      }
    }
  }
  return squares > 0 ? std::clamp(products / squares, 0.0, 0.95) : 0.0;
}

}  // namespace

std::vector<Prediction> leave_one_out(const predict::OpFamily& family, const Dataset& data,
                                      Knowledge knowledge, const LeaveOneOutOptions& options,
                                      std::vector<FamilyFit>* fits) {
  const FitBasis basis =
      knowledge == Knowledge::kDatasheet ? FitBasis::kDatasheet : FitBasis::kPublished;
  std::vector<Prediction> predictions;
  for (std::size_t target = 0; target < data.cards.size(); ++target) {
    std::vector<std::size_t> others;
    for (std::size_t card = 0; card < data.cards.size(); ++card) {
      if (card != target && !samples_of(data, card, 1).empty()) others.push_back(card);
    }
    const auto samples = samples_of(data, target, options.rows_scored);
    if (samples.empty() || others.empty()) continue;
    const FamilyFit fit = fit_family(family, data, others, basis, options.fit);
    if (fits != nullptr) fits->push_back(fit);
    const CardByMath& card = on_basis(data.cards[target], basis);
    const bool measured = knowledge == Knowledge::kMeasured;

    predict::FieldConstants constants = fit_field(family, fit, data, basis, options);
    constants.shared = options.from_source ? fit_shared(family, fit, data, basis) : 0.0;
    Timed timed;
    timed.scales = fit.mean;
    if (measured) timed = time_operations(family, fit, samples, card, options);
    const Deviations all = deviations(family, fit, samples, card, timed.scales);
    std::vector<Features> places;
    std::vector<double> values;
    for (const std::size_t i : timed.chosen) {
      places.push_back(all.places[i]);
      values.push_back(all.values[i]);
    }
    const predict::ResidualField field(constants, places, values);

    // What each source card shows at the operations of the target.
    std::vector<std::unordered_map<std::uint32_t, double>> shown(data.cards.size());
    if (options.from_source) {
      for (const std::size_t other : others) {
        const auto theirs = samples_of(data, other, 1000000);
        const auto seen = deviations(family, fit, theirs, on_basis(data.cards[other], basis),
                                     fit.cards.at(other));
        for (std::size_t i = 0; i < theirs.size(); ++i) {
          shown[other].emplace(theirs[i]->group, std::clamp(seen.values[i], -0.8, 0.8));
        }
      }
    }
    const double ceilings = measured ? 0.0
                                     : fit.spread.compute * fit.spread.compute * 0.5 +
                                           fit.spread.memory * fit.spread.memory * 0.5;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (std::find(timed.chosen.begin(), timed.chosen.end(), i) != timed.chosen.end()) continue;
      const double formula = samples[i]->seconds / std::exp(all.values[i]);
      const auto add = [&](std::size_t source, const double* seen) {
        const auto deviation = field.at(all.places[i], seen);
        predictions.push_back({target, source, samples[i], formula * std::exp(deviation.mean),
                               deviation.variance + ceilings});
      };
      if (!options.from_source) {
        add(target, nullptr);
        continue;
      }
      for (const std::size_t other : others) {
        const auto at = shown[other].find(samples[i]->group);
        if (at != shown[other].end()) add(other, &at->second);
      }
    }
  }
  return predictions;
}

}  // namespace uplift::fit
