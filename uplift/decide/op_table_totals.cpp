// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/op_table_totals.hpp"

#include <algorithm>
#include <utility>

namespace uplift::decide {
namespace {

/// Reasons that are told apart; rows with others are counted, not quoted.
constexpr std::size_t kMostReasons = 64;

double whole(const OpTableSummary::Row& row) {
  return row.seconds * static_cast<double>(row.count);
}

bool longer(const OpTableSummary::Row& a, const OpTableSummary::Row& b) {
  return whole(a) > whole(b);
}

}  // namespace

void OpTableTotals::add(const OpQuestion& question, const OpPrediction& prediction) {
  ++summary_.rows;
  if (!prediction.answered) return refuse(question, prediction.note);
  const double count = static_cast<double>(question.count);
  const double seconds = prediction.seconds * count;
  ++summary_.answered;
  summary_.target_seconds += seconds;
  summary_.seconds_by_bound[static_cast<std::size_t>(prediction.bound)] += seconds;
  if (question.source_seconds) {
    ++summary_.compared;
    summary_.source_seconds += *question.source_seconds * count;
    summary_.compared_target_seconds += seconds;
  }
  auto& longest = summary_.longest;  // a heap with the shortest in front
  if (most_ == 0 || (longest.size() == most_ && seconds <= whole(longest.front()))) return;
  if (longest.size() == most_) {
    std::pop_heap(longest.begin(), longest.end(), longer);
    longest.pop_back();
  }
  longest.push_back({std::string(question.name), std::string(question.kind),
                     std::string(question.math), std::string(question.shape), question.count,
                     question.source_seconds, prediction.seconds, prediction.low, prediction.high,
                     prediction.bound, std::string(prediction.note)});
  std::push_heap(longest.begin(), longest.end(), longer);
}

void OpTableTotals::refuse(const OpQuestion& question, std::string_view note) {
  auto& refusals = summary_.refusals;
  const auto found = std::find_if(refusals.begin(), refusals.end(),
                                  [&](const auto& known) { return known.note == note; });
  if (found != refusals.end()) {
    ++found->rows;
  } else if (refusals.size() < kMostReasons) {
    refusals.push_back({std::string(note), std::string(question.name), 1});
  }
}

OpTableSummary OpTableTotals::finish() {
  std::sort_heap(summary_.longest.begin(), summary_.longest.end(), longer);
  std::stable_sort(summary_.refusals.begin(), summary_.refusals.end(),
                   [](const auto& a, const auto& b) { return a.rows > b.rows; });
  return std::move(summary_);
}

}  // namespace uplift::decide
