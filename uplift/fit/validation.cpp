// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
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

ErrorStatistics statistics(const std::vector<const Prediction*>& predictions) {
  ErrorStatistics errors;
  errors.n = predictions.size();
  const double n = static_cast<double>(errors.n);
  std::vector<double> sizes;
  std::vector<double> widths;
  double bias = 0;
  double inside = 0;
  for (const Prediction* one : predictions) {
    const double log = std::log(one->seconds / one->sample->timed.seconds);
    sizes.push_back(std::abs(std::expm1(log)));
    widths.push_back(std::exp(2.0 * one->log_half_width));
    errors.mean += sizes.back() / n;
    errors.worst = std::max(errors.worst, sizes.back());
    inside += std::abs(log) <= one->log_half_width ? 1.0 : 0.0;
    bias += log / n;
  }
  errors.coverage = inside / n;
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
    std::map<std::size_t, std::vector<const Prediction*>> by_source;  // 0: the shape; source + 1
    const auto shape =
        predict_card(family, learnt, data, target, {}, knowledge, options.rows, options.study);
    for (const Prediction& one : shape) by_source[0].push_back(&one);
    std::vector<Prediction> paired;
    if (!sources.empty()) {
      paired = predict_card(family, learnt, data, target, sources, knowledge, options.rows,
                            options.study);
    }
    for (const Prediction& one : paired) by_source[one.source + 1].push_back(&one);
    for (const auto& [evidence, predictions] : by_source) {
      ErrorRow row;
      row.family = family.name();
      row.basis = word(knowledge);
      row.target = data.cards[target].id;
      row.errors = statistics(predictions);
      if (evidence > 0) {
        const std::size_t source = evidence - 1;
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

/// Cards with timings but the one of this id, which may be there twice: timed with its launches and
/// without.
std::vector<std::size_t> timed_cards(const Dataset& data, std::string_view without) {
  std::vector<std::size_t> cards;
  for (std::size_t card = 0; card < data.cards.size(); ++card) {
    if (data.cards[card].id != without && !samples_of(data, card, 1).empty()) cards.push_back(card);
  }
  return cards;
}

bool has_seen(const predict::FamilyKnowledge& learnt, const std::string& card) {
  const auto& seen = learnt.fitted_on;
  return std::find(seen.begin(), seen.end(), card) != seen.end();
}

}  // namespace

std::vector<ErrorRow> validate_family(const predict::OpFamily& family, const Dataset& data,
                                      const predict::FamilyKnowledge* shipped,
                                      const ValidationOptions& options,
                                      std::vector<std::string>& notes) {
  std::vector<std::vector<ErrorRow>> by_target(data.cards.size());
  std::vector<std::size_t> targets;
  for (const std::size_t card : timed_cards(data, "")) {
    const bool unseen = shipped != nullptr && !has_seen(*shipped, data.cards[card].id);
    if (unseen || !timed_cards(data, data.cards[card].id).empty()) {
      targets.push_back(card);
    } else {
      notes.push_back(std::string(family.name()) + ": " + data.cards[card].id +
                      " went into the constants and no other card of the table could replace it");
    }
  }
  const std::size_t threads = std::max(1U, std::min(8U, std::thread::hardware_concurrency()));
  std::vector<std::thread> workers;
  for (std::size_t worker = 0; worker < threads; ++worker) {
    workers.emplace_back([&, worker] {
      for (std::size_t i = worker; i < targets.size(); i += threads) {
        const std::size_t target = targets[i];
        const auto others = timed_cards(data, data.cards[target].id);
        const bool unseen = shipped != nullptr && !has_seen(*shipped, data.cards[target].id);
        const auto learnt = unseen ? *shipped : study_family(family, data, others, options.study);
        by_target[target] = score(family, learnt, data, target, others, options);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::vector<ErrorRow> rows;
  for (auto& some : by_target) {
    for (ErrorRow& row : some) {
      if (row.errors.n > 0) rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<ErrorSummary> summarise(const std::vector<ErrorRow>& rows) {
  struct Sums {
    ErrorSummary summary;
    std::map<std::string, std::pair<double, int>> by_target;
    std::vector<double> widths;
  };
  std::vector<Sums> all;
  for (const ErrorRow& row : rows) {
    const bool from_source = !row.source.empty();
    auto at = std::find_if(all.begin(), all.end(), [&](const Sums& sums) {
      return sums.summary.family == row.family && sums.summary.basis == row.basis &&
             sums.summary.from_source == from_source;
    });
    if (at == all.end()) {
      all.emplace_back();
      at = all.end() - 1;
      at->summary.family = row.family;
      at->summary.basis = row.basis;
      at->summary.from_source = from_source;
    }
    at->widths.push_back(row.errors.width);
    at->summary.n += row.errors.n;
    at->summary.mean += row.errors.mean;
    at->summary.coverage += row.errors.coverage;
    auto& [sum, count] = at->by_target[row.target];
    sum += row.errors.mean;
    ++count;
  }
  std::vector<ErrorSummary> summaries;
  for (Sums& sums : all) {
    ErrorSummary& summary = sums.summary;
    const double count = static_cast<double>(sums.widths.size());
    summary.mean /= count;
    summary.coverage /= count;
    summary.width = quantile(sums.widths, 0.5);
    summary.targets = sums.by_target.size();
    for (const auto& [target, mean] : sums.by_target) {
      if (mean.first / mean.second > summary.worst) {
        summary.worst = mean.first / mean.second;
        summary.worst_on = target;
      }
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace uplift::fit
