// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/validation_document.hpp"

#include "uplift/report/validation_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <gmock/gmock.h>

namespace uplift::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Validation two_rows() {
  Validation validation;
  validation.recomputed = true;
  ErrorRow shape;
  shape.family = "softmax";
  shape.basis = "published";
  shape.target = "t4";
  shape.errors = {1500, 0.125, 0.1, 0.2, 0.5, -0.05, 0.75, 1.5};
  ErrorRow pair = shape;
  pair.source = "p4";
  pair.rivals = {0.21, 0.22, 0.23, 0.24};
  validation.rows = {shape, pair};
  validation.summaries = {{"softmax", "published", false, 1, 1500, 0.125, 0.125, "t4", 0.75, 1.5},
                          {"softmax", "published", true, 1, 1500, 0.125, 0.125, "t4", 0.95, 1.5}};
  validation.notes = {"something could not be scored"};
  return validation;
}

std::string text(const Validation& validation, bool pairs, bool color = false) {
  return render_text(validation_document(validation, pairs), {color, 300});
}

TEST(ValidationDocument, SaysWhoseFiguresTheyAre) {
  Validation validation = two_rows();
  EXPECT_THAT(text(validation, false), HasSubstr("recomputed on the given timings"));
  validation.recomputed = false;
  EXPECT_THAT(text(validation, false), HasSubstr("Give a table of timings to recompute them."));
}

TEST(ValidationDocument, ShapeAndSourceHaveTablesOfTheirOwn) {
  Validation validation = two_rows();
  const std::string both = text(validation, false);
  EXPECT_THAT(both, HasSubstr("From the shape alone"));
  EXPECT_THAT(both, HasSubstr("Source time known"));
  EXPECT_THAT(both, HasSubstr("12.5 %"));
  EXPECT_THAT(both, HasSubstr("something could not be scored"));
  EXPECT_THAT(both, Not(HasSubstr("Roofline")));
  validation.summaries.pop_back();
  EXPECT_THAT(text(validation, false), Not(HasSubstr("Source time known")));
}

TEST(ValidationDocument, PairsStandBesideTheirRivals) {
  const std::string pairs = text(two_rows(), true);
  EXPECT_THAT(pairs, HasSubstr("Roofline"));
  EXPECT_THAT(pairs, HasSubstr("24.0 %"));
  EXPECT_THAT(pairs, HasSubstr("-5.0 %"));
  EXPECT_THAT(pairs, HasSubstr("p4"));
}

TEST(ValidationDocument, AnIntervalThatHoldsTooLittleIsMarked) {
  Validation validation = two_rows();
  validation.summaries.pop_back();
  EXPECT_THAT(text(validation, false, true), HasSubstr("\x1b[33m75.0 %"));
  validation.summaries[0].coverage = 0.8;
  EXPECT_THAT(text(validation, false, true), Not(HasSubstr("\x1b[33m80.0 %")));
}

TEST(ValidationDocument, CsvHasRawValues) {
  const std::string csv = render_csv(validation_document(two_rows(), true));
  EXPECT_THAT(csv, HasSubstr("family,basis,cards,n,mean_error,worst_card_error,worst_card,"
                             "coverage,high_over_low\n"));
  EXPECT_THAT(csv, HasSubstr("softmax,published,1,1500,0.125,0.125,t4,0.75,1.5\n"));
  EXPECT_THAT(csv, HasSubstr("p4,t4,published,1500,0.125,0.1,-0.05,0.5,0.75,1.5,0.21,"));
}

TEST(ValidationJson, HasEverySummaryAndRow) {
  const auto json = nlohmann::json::parse(validation_json(two_rows(), {}));
  EXPECT_EQ("uplift.validate/1", json["schema"]);
  EXPECT_EQ(true, json["recomputed"]);
  ASSERT_EQ(2U, json["summaries"].size());
  EXPECT_EQ(false, json["summaries"][0]["from_source"]);
  EXPECT_EQ("t4", json["summaries"][1]["worst_card"]);
  ASSERT_EQ(2U, json["rows"].size());
  EXPECT_TRUE(json["rows"][0]["source"].is_null());
  EXPECT_TRUE(json["rows"][0]["roofline_ratio_error"].is_null());
  EXPECT_DOUBLE_EQ(0.24, json["rows"][1]["roofline_ratio_error"]);
  EXPECT_DOUBLE_EQ(0.2, json["rows"][1]["p90_error"]);
  EXPECT_EQ("something could not be scored", json["notes"][0]);
}

TEST(ValidationJson, WhatIsNoNumberIsNull) {
  Validation validation = two_rows();
  validation.summaries[0].mean = std::nan("");
  validation.summaries[0].worst_on.clear();
  const auto json = nlohmann::json::parse(validation_json(validation, {}));
  EXPECT_TRUE(json["summaries"][0]["mean_error"].is_null());
  EXPECT_TRUE(json["summaries"][0]["worst_card"].is_null());
  EXPECT_TRUE(nlohmann::json::parse(validation_json({}, {}))["rows"].empty());
}

}  // namespace
}  // namespace uplift::report
