// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/time_spans.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace uplift::predict {
namespace {

std::vector<std::pair<std::int64_t, std::int64_t>> pairs(const Spans& spans) {
  std::vector<std::pair<std::int64_t, std::int64_t>> list;
  for (const Span& span : spans) list.emplace_back(span.start, span.end);
  return list;
}

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(TimeSpans, MergedSpansAreDisjointAndInOrder) {
  EXPECT_EQ((Pairs{{0, 5}, {7, 9}}), pairs(merged({{7, 9}, {3, 5}, {0, 3}, {1, 2}})));
}

TEST(TimeSpans, EmptyAndBackwardSpansAreNothing) { EXPECT_TRUE(merged({{5, 5}, {9, 3}}).empty()); }

TEST(TimeSpans, IntersectionAndComplement) {
  const Spans a = {{0, 5}, {10, 20}};
  EXPECT_EQ((Pairs{{3, 5}, {10, 12}}), pairs(intersection(a, {{3, 12}})));
  EXPECT_EQ((Pairs{{-2, 0}, {5, 10}, {20, 25}}), pairs(complement(a, {-2, 25})));
  EXPECT_EQ((Pairs{{5, 6}}), pairs(complement(a, {1, 6})));
}

TEST(TimeSpans, CoveredCountsTheMomentsInTheSet) {
  const Spans set = {{0, 5}, {10, 20}, {30, 40}};
  EXPECT_EQ(2 + 10 + 1, covered({3, 31}, set));
  EXPECT_EQ(0, covered({5, 10}, set));
  EXPECT_EQ(25, total(set));
}

}  // namespace
}  // namespace uplift::predict
