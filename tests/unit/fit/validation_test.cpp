// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/validation.hpp"

#include "tests/unit/fit/made_timings.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace uplift::fit {
namespace {

using predict::elementwise_family;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Twenty additions of 12 GB and more on two cards; the second has twice the bandwidth and 2.5
/// times the arithmetic, and takes 0.4 of the time.
Dataset two_cards() {
  Dataset data;
  data.cards = {made_card("one", 1.0, false), made_card("two", 2.0, false)};
  for (auto* basis : {&data.cards[1].datasheet, &data.cards[1].published}) {
    for (auto& card : *basis) card.peak = 2.5 * predict::hand_made_card().peak;
  }
  for (std::uint32_t i = 0; i < 20; ++i) {
    const Op op = predict::make_op(
        OpKind::kElementwise, ElementwiseShape{(i + 1) * 1'000'000'000, 2, 1, ElementwiseOp::kAdd});
    const double seconds =
        predict::estimate_elementwise(op, data.cards[0].published[0], {}).seconds;
    data.samples.push_back({0, i, {op, seconds}});
    data.samples.push_back({1, i, {op, 0.4 * seconds}});
  }
  return data;
}

predict::FamilyKnowledge shipped(std::vector<std::string> fitted_on) {
  predict::FamilyKnowledge learnt;
  for (const auto& range : elementwise_family().parameters()) {
    learnt.constants.push_back(range.start);
  }
  learnt.fitted_on = std::move(fitted_on);
  return learnt;
}

const ErrorRow& find(const std::vector<ErrorRow>& rows, std::string_view basis,
                     std::string_view target, std::string_view source) {
  for (const ErrorRow& row : rows) {
    if (row.basis == basis && row.target == target && row.source == source) return row;
  }
  ADD_FAILURE() << basis << ' ' << target << ' ' << source;
  return rows.front();
}

TEST(Validation, RowsAndRivalsByHand) {
  const predict::FamilyKnowledge learnt = shipped({});
  std::vector<std::string> notes;
  const auto rows = validate_family(elementwise_family(), two_cards(), &learnt, {}, notes);
  EXPECT_TRUE(notes.empty());
  // Three bases, two targets, each from the shape and from the other card.
  ASSERT_EQ(12U, rows.size());
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    EXPECT_EQ("", rows[i].source);
    EXPECT_NE("", rows[i + 1].source);
  }
  const ErrorRow& exact = find(rows, "published", "one", "");
  EXPECT_EQ("elementwise", exact.family);
  EXPECT_EQ(20U, exact.errors.n);
  EXPECT_NEAR(0.0, exact.errors.worst, 1e-12);
  EXPECT_DOUBLE_EQ(1.0, exact.errors.coverage);
  EXPECT_GT(exact.errors.width, 1.0);
  EXPECT_EQ(0, exact.rivals.roofline);

  // By the formula the second card takes 0.5 of the time but for the floor: 25 % too long.
  const ErrorRow& off = find(rows, "datasheet", "two", "");
  EXPECT_NEAR(0.25, off.errors.mean, 0.01);
  EXPECT_NEAR(0.25, off.errors.bias, 0.01);
  EXPECT_LE(off.errors.median, off.errors.p90);
  EXPECT_LE(off.errors.p90, off.errors.worst);

  const ErrorRow& pair = find(rows, "published", "two", "one");
  EXPECT_EQ(20U, pair.errors.n);
  EXPECT_NEAR(0.0, pair.rivals.constant, 1e-12);    // 0.4
  EXPECT_NEAR(0.25, pair.rivals.bandwidth, 1e-12);  // 0.5
  EXPECT_NEAR(0.0, pair.rivals.peak, 1e-12);        // 1 / 2.5
  EXPECT_NEAR(0.25, pair.rivals.roofline, 1e-12);   // bytes over bandwidth
  const ErrorRow& back = find(rows, "published", "one", "two");
  EXPECT_NEAR(0.2, back.rivals.bandwidth, 1e-12);  // 2 for 2.5

  // Twelve of the twenty count as timed on the target.
  EXPECT_EQ(8U, find(rows, "measured", "two", "").errors.n);
  EXPECT_LT(find(rows, "measured", "two", "").errors.mean, 0.15);
}

TEST(Validation, AtMostSoManyRows) {
  const predict::FamilyKnowledge learnt = shipped({});
  ValidationOptions options;
  options.rows = 15;
  std::vector<std::string> notes;
  const auto rows = validate_family(elementwise_family(), two_cards(), &learnt, options, notes);
  EXPECT_EQ(15U, find(rows, "published", "one", "").errors.n);
  EXPECT_EQ(15U, find(rows, "published", "one", "two").errors.n);
}

TEST(Validation, ACardThatWentIntoTheConstantsIsPredictedByTheOthers) {
  predict::FamilyKnowledge learnt = shipped({"one"});
  learnt.constants[0] = 0.7;  // would show, if the first card were scored by it
  std::vector<std::string> notes;
  const Dataset data = two_cards();
  const auto rows = validate_family(elementwise_family(), data, &learnt, {}, notes);
  const std::vector<std::size_t> second = {1};
  const auto refitted = study_family(elementwise_family(), data, second, {});
  const auto predictions = predict_card(elementwise_family(), refitted, data, 0, {},
                                        predict::Knowledge::kPublished, 2000, {});
  double mean = 0;
  for (const Prediction& one : predictions) {
    mean += std::abs(one.seconds / one.sample->timed.seconds - 1) / 20;
  }
  EXPECT_NEAR(mean, find(rows, "published", "one", "").errors.mean, 1e-9);
  EXPECT_NEAR(0.5 / 0.4 / 0.7 - 1, find(rows, "published", "two", "").errors.mean, 0.03);
}

TEST(Validation, ACardThatNothingCanReplaceIsTold) {
  Dataset data = two_cards();
  std::erase_if(data.samples, [](const Sample& sample) { return sample.card == 1; });
  const predict::FamilyKnowledge learnt = shipped({"one"});
  std::vector<std::string> notes;
  EXPECT_TRUE(validate_family(elementwise_family(), data, &learnt, {}, notes).empty());
  EXPECT_THAT(notes, ElementsAre(HasSubstr("elementwise: one went into the constants")));
}

TEST(Validation, ACardTimedInTwoWaysDoesNotPredictItself) {
  Dataset data = two_cards();
  data.cards[1].id = "one";
  data.cards[1].with_launch = true;
  const predict::FamilyKnowledge learnt = shipped({});
  std::vector<std::string> notes;
  for (const ErrorRow& row : validate_family(elementwise_family(), data, &learnt, {}, notes)) {
    EXPECT_EQ("", row.source);
  }
  EXPECT_TRUE(validate_family(elementwise_family(), data, nullptr, {}, notes).empty());
}

TEST(Validation, SummariesAreMeansOverTheRows) {
  const auto row = [](std::string basis, std::string target, std::string source, double mean) {
    ErrorRow one;
    one.family = "f";
    one.basis = std::move(basis);
    one.target = std::move(target);
    one.source = std::move(source);
    one.errors.n = 10;
    one.errors.mean = mean;
    one.errors.coverage = 0.9;
    one.errors.width = 1 + mean;
    return one;
  };
  const auto summaries =
      summarise({row("published", "a", "", 0.1), row("published", "b", "", 0.3),
                 row("published", "a", "b", 0.2), row("published", "a", "c", 0.4),
                 row("published", "b", "a", 0.05), row("datasheet", "a", "", 0.5)});
  ASSERT_EQ(3U, summaries.size());
  EXPECT_FALSE(summaries[0].from_source);
  EXPECT_EQ(2U, summaries[0].targets);
  EXPECT_EQ(20U, summaries[0].n);
  EXPECT_DOUBLE_EQ(0.2, summaries[0].mean);
  EXPECT_DOUBLE_EQ(0.3, summaries[0].worst);
  EXPECT_EQ("b", summaries[0].worst_on);
  EXPECT_DOUBLE_EQ(0.9, summaries[0].coverage);
  EXPECT_TRUE(summaries[1].from_source);
  EXPECT_EQ(2U, summaries[1].targets);
  EXPECT_EQ(30U, summaries[1].n);
  EXPECT_NEAR(0.3, summaries[1].worst, 1e-12);  // of a, over its two sources
  EXPECT_EQ("a", summaries[1].worst_on);
  EXPECT_EQ("datasheet", summaries[2].basis);
  EXPECT_TRUE(summarise({}).empty());
}

}  // namespace
}  // namespace uplift::fit
