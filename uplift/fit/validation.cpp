// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>
#include <unordered_map>

namespace uplift::fit {
namespace {

using predict::Knowledge;

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

ErrorStatistics summarise(const std::vector<const Prediction*>& predictions) {
  ErrorStatistics errors;
  errors.n = predictions.size();
  const double n = static_cast<double>(errors.n);
  std::vector<double> sizes;
  std::vector<double> widths;
  double bias = 0;
  for (const Prediction* one : predictions) {
    const double log = std::log(one->seconds / one->sample->timed.seconds);
    sizes.push_back(std::abs(std::expm1(log)));
    widths.push_back(std::exp(2.0 * one->log_half_width));
    errors.mean += sizes.back() / n;
    errors.worst = std::max(errors.worst, sizes.back());
    errors.coverage += std::abs(log) <= one->log_half_width ? 1.0 / n : 0.0;
    bias += log / n;
  }
  errors.median = quantile(sizes, 0.5);
  errors.p90 = quantile(sizes, 0.9);
  errors.width = quantile(widths, 0.5);
  errors.bias = std::expm1(bias);
  return errors;
}

double roofline(const Op& op, const predict::OpCard& card) {
  const double arithmetic = flops(op.shape).value() / (card.peak > 0 ? card.peak : card.rate);
  return std::max(arithmetic, least_bytes(op.shape, op.element_bytes).value() / card.stream);
}

RivalErrors rivals(const Dataset& data, const std::vector<const Prediction*>& predictions,
                   const std::unordered_map<std::uint32_t, double>& source_seconds) {
  RivalErrors errors;
  if (predictions.empty()) return errors;
  const auto& from = data.cards[predictions.front()->source].datasheet;
  const auto& to = data.cards[predictions.front()->target].datasheet;
  std::vector<double> ratios;
  for (const Prediction* one : predictions) {
    ratios.push_back(one->sample->timed.seconds / source_seconds.at(one->sample->group));
  }
  const double constant = quantile(ratios, 0.5);
  const double n = static_cast<double>(predictions.size());
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const Op& op = predictions[i]->sample->timed.op;
    const auto& a = from[index(op.math)];
    const auto& b = to[index(op.math)];
    const auto add = [&](double& sum, double ratio) {
      sum += std::abs(ratio / ratios[i] - 1.0) / n;
    };
    add(errors.constant, constant);
    add(errors.bandwidth, a.stream / b.stream);
    add(errors.peak, (a.peak > 0 ? a.peak : a.rate) / (b.peak > 0 ? b.peak : b.rate));
    const double there = roofline(op, a);
    add(errors.roofline, there > 0 ? roofline(op, b) / there : a.stream / b.stream);
  }
  return errors;
}

/// The rows of one target: from the shape, then from each source.
std::vector<ErrorRow> score(const predict::OpFamily& family, const predict::FamilyKnowledge& learnt,
                            const Dataset& data, std::size_t target,
                            std::span<const std::size_t> sources,
                            const ValidationOptions& options) {
  std::vector<ErrorRow> rows;
  for (const Knowledge knowledge : predict::kKnowledges) {
    std::map<std::size_t, std::vector<const Prediction*>> by_source;
    const auto shape =
        predict_card(family, learnt, data, target, {}, knowledge, options.rows, options.study);
    for (const Prediction& one : shape) by_source[target].push_back(&one);
    std::vector<Prediction> paired;
    if (!sources.empty()) {
      paired = predict_card(family, learnt, data, target, sources, knowledge, options.rows,
                            options.study);
    }
    for (const Prediction& one : paired) by_source[one.source].push_back(&one);
    for (const auto& [source, predictions] : by_source) {
      ErrorRow row;
      row.target = data.cards[target].id;
      row.knowledge = knowledge;
      row.errors = summarise(predictions);
      if (source != target) {
        row.source = data.cards[source].id;
        std::unordered_map<std::uint32_t, double> seconds;
        for (const Sample* sample : samples_of(data, source)) {
          seconds.emplace(sample->group, sample->timed.seconds);
        }
        row.rivals = rivals(data, predictions, seconds);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

void average(const std::vector<ErrorRow>& rows, bool from_source,
             std::array<predict::FamilyAccuracy, 3>& out) {
  for (const Knowledge knowledge : predict::kKnowledges) {
    predict::FamilyAccuracy& all = out[static_cast<std::size_t>(knowledge)];
    double n = 0;
    std::vector<double> widths;
    for (const ErrorRow& row : rows) {
      if (row.knowledge != knowledge || row.source.empty() == from_source || row.errors.n == 0) {
        continue;
      }
      ++n;
      all.mean += row.errors.mean;
      all.coverage += row.errors.coverage;
      widths.push_back(row.errors.width);
      if (row.errors.mean > all.worst) {
        all.worst = row.errors.mean;
        all.worst_on = row.target;
      }
    }
    if (n == 0) continue;
    all.mean /= n;
    all.coverage /= n;
    all.width = quantile(widths, 0.5);
  }
}

std::vector<std::size_t> timed_cards(const Dataset& data, std::size_t without) {
  std::vector<std::size_t> cards;
  for (std::size_t card = 0; card < data.cards.size(); ++card) {
    if (card != without && !samples_of(data, card, 1).empty()) cards.push_back(card);
  }
  return cards;
}

FamilyValidation gather(std::vector<std::vector<ErrorRow>> by_target) {
  FamilyValidation validation;
  for (auto& rows : by_target) {
    for (ErrorRow& row : rows) validation.rows.push_back(std::move(row));
  }
  average(validation.rows, false, validation.from_shape);
  average(validation.rows, true, validation.from_source);
  return validation;
}

}  // namespace

FamilyValidation validate_family(const predict::OpFamily& family, const Dataset& data,
                                 const ValidationOptions& options) {
  std::vector<std::vector<ErrorRow>> by_target(data.cards.size());
  std::vector<std::size_t> targets = timed_cards(data, data.cards.size());
  if (targets.size() < 2) return {};
  std::vector<std::thread> workers;
  const std::size_t threads = std::max(1U, std::min(8U, std::thread::hardware_concurrency()));
  for (std::size_t worker = 0; worker < threads; ++worker) {
    workers.emplace_back([&, worker] {
      for (std::size_t i = worker; i < targets.size(); i += threads) {
        const auto others = timed_cards(data, targets[i]);
        const auto learnt = study_family(family, data, others, options.study);
        by_target[targets[i]] = score(family, learnt, data, targets[i], others, options);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  return gather(std::move(by_target));
}

FamilyValidation validate_shipped(const predict::OpFamily& family, const Dataset& data,
                                  const predict::FamilyKnowledge& shipped,
                                  const ValidationOptions& options) {
  std::vector<std::vector<ErrorRow>> by_target;
  for (const std::size_t target : timed_cards(data, data.cards.size())) {
    const auto& seen = shipped.fitted_on;
    if (std::find(seen.begin(), seen.end(), data.cards[target].id) != seen.end()) continue;
    by_target.push_back(score(family, shipped, data, target, timed_cards(data, target), options));
  }
  return gather(std::move(by_target));
}

}  // namespace uplift::fit
