// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/timing_table.hpp"

#include "tests/unit/predict/op/hand_made_card.hpp"
#include "uplift/catalog/catalog.hpp"

#include <gtest/gtest.h>

namespace uplift::fit {
namespace {

using predict::make_op;

const std::map<std::string, CardModels>& cards() {
  static const std::map<std::string, CardModels> kCards = [] {
    const auto boards = catalog::Catalog::load().value();
    const auto parameters = model::load_parameters().value();
    std::map<std::string, CardModels> all;
    for (const std::string id : {"v100-sxm2-32gb", "a100-sxm4-80gb"}) {
      const auto build = [&](model::Basis basis) {
        return model::build_gpu_model(*boards.find(id), basis, parameters).value();
      };
      all.emplace(id, CardModels{build(model::Basis::kDatasheet), build(model::Basis::kPublished)});
    }
    return all;
  }();
  return kCards;
}

Op addition(std::int64_t n) {
  return make_op(OpKind::kElementwise, ElementwiseShape{n, 2, 1, ElementwiseOp::kAdd});
}

const Dataset& family(const std::vector<FamilyTimings>& all, std::string_view name) {
  for (const FamilyTimings& one : all) {
    if (one.family->name() == name) return one.data;
  }
  ADD_FAILURE() << name;
  return all.front().data;
}

TEST(TimingTable, IsTakenApartByTheFormatThatRuns) {
  const Op product = make_op(OpKind::kGemm, GemmShape{1, 64, 64, 64}, 2);  // BF16
  const auto all =
      split_by_family(std::vector<Timing>{{"v100-sxm2-32gb", product, 1e-3, false},
                                          {"a100-sxm4-80gb", product, 1e-4, false},
                                          {"a100-sxm4-80gb", addition(5), 1e-5, false}},
                      cards());
  ASSERT_EQ(3U, all.size());
  EXPECT_EQ("v100-sxm2-32gb", family(all, "gemm_fp32").cards[0].id);
  EXPECT_EQ(Math::kFp32, family(all, "gemm_fp32").samples[0].timed.op.math);
  EXPECT_EQ(Math::kBf16, family(all, "gemm_tensor").samples[0].timed.op.math);
  EXPECT_EQ(1U, family(all, "elementwise").samples.size());
}

TEST(TimingTable, EqualOperationsAreOneGroupOnEveryCard) {
  const auto all =
      split_by_family(std::vector<Timing>{{"a100-sxm4-80gb", addition(5), 1e-5, false},
                                          {"a100-sxm4-80gb", addition(6), 2e-5, false},
                                          {"v100-sxm2-32gb", addition(6), 3e-5, false},
                                          {"v100-sxm2-32gb", addition(5), 4e-5, false}},
                      cards());
  ASSERT_EQ(1U, all.size());
  const Dataset& data = all[0].data;
  ASSERT_EQ(2U, data.cards.size());
  ASSERT_EQ(4U, data.samples.size());
  EXPECT_EQ(data.samples[0].group, data.samples[3].group);
  EXPECT_EQ(data.samples[1].group, data.samples[2].group);
  EXPECT_NE(data.samples[0].group, data.samples[1].group);
  EXPECT_EQ(1U, data.samples[2].card);
  EXPECT_DOUBLE_EQ(4e-5, data.samples[3].timed.seconds);
  EXPECT_LT(data.cards[0].published[0].stream, data.cards[0].datasheet[0].stream * 1.2);
}

TEST(TimingTable, ACardTimedWithAndWithoutLaunchesCountsAsTwo) {
  const auto all = split_by_family(std::vector<Timing>{{"a100-sxm4-80gb", addition(5), 1e-5, false},
                                                       {"a100-sxm4-80gb", addition(5), 4e-5, true}},
                                   cards());
  ASSERT_EQ(2U, all[0].data.cards.size());
  EXPECT_FALSE(all[0].data.cards[0].with_launch);
  EXPECT_TRUE(all[0].data.cards[1].with_launch);
  EXPECT_EQ(all[0].data.samples[0].group, all[0].data.samples[1].group);
}

TEST(TimingTable, WhatNoFamilyHasIsLeftOut) {
  EXPECT_TRUE(split_by_family(
                  std::vector<Timing>{{"a100-sxm4-80gb", make_op(OpKind::kGemm, {}), 1e-5, false},
                                      {"a100-sxm4-80gb", addition(5), 0, false}},
                  cards())
                  .empty());
  EXPECT_TRUE(split_by_family({}, cards()).empty());
}

TEST(Dataset, ManySamplesAreThinnedEvenly) {
  Dataset data;
  for (std::uint32_t i = 0; i < 20; ++i) data.samples.push_back({i % 2, i, {}});
  EXPECT_EQ(10U, samples_of(data, 1).size());
  const auto few = samples_of(data, 1, 5);
  ASSERT_EQ(5U, few.size());
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(4 * i + 1, few[i]->group);
  EXPECT_TRUE(samples_of(data, 2).empty());
}

}  // namespace
}  // namespace uplift::fit
