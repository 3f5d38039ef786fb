// SPDX-License-Identifier: Apache-2.0
// Profiles and the cards that they are of.
#include "uplift/decide/card_profiles.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace uplift::decide {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const catalog::Catalog& boards() {
  static const catalog::Catalog kBoards = catalog::Catalog::load().value();
  return kBoards;
}

Profile h200(double stream) {
  Profile profile;
  profile.file = "h200.json";
  profile.device.name = "NVIDIA H200";
  profile.device.sm_count = 132;
  ProfileSample sample;
  sample.quantity = "dram_stream";
  sample.unit = "B/s";
  sample.value = stream;
  sample.count = 1;
  profile.samples[static_cast<std::size_t>(Dimension::kMemory)].push_back(sample);
  return profile;
}

TimedCall addition(double seconds) {
  TimedCall call;
  call.op = {OpKind::kElementwise, Math::kFp32, 4, 4,
             ElementwiseShape{1 << 20, 2, 1, ElementwiseOp::kAdd}};
  call.seconds = seconds;
  return call;
}

TEST(CardProfiles, ManyHostsGiveTheirMedian) {
  std::vector<Profile> profiles = {h200(4.1e12), h200(4.4e12), h200(4.3e12)};
  profiles[0].calibration = {addition(3e-6)};
  profiles[1].calibration = {addition(5e-6)};
  profiles[2].calibration = {addition(4e-6)};
  const auto sorted = sort_profiles(profiles, boards());
  ASSERT_TRUE(sorted) << sorted.error().line();
  ASSERT_EQ(1U, sorted->cards.size());
  const Profile* merged = find_profile(sorted->cards, *boards().find("h200-sxm-141gb"));
  ASSERT_NE(nullptr, merged);
  EXPECT_EQ(4.3e12, merged->value("dram_stream"));
  ASSERT_EQ(1U, merged->calibration.size());
  EXPECT_EQ(4e-6, merged->calibration[0].seconds);
  EXPECT_THAT(sorted->warnings, IsEmpty());
  EXPECT_EQ(nullptr, find_profile(sorted->cards, *boards().find("t4")));
}

TEST(CardProfiles, WithoutAnythingThatAPredictionTakesItIsRefused) {
  Profile profile = h200(4.4e12);
  profile.samples[static_cast<std::size_t>(Dimension::kMemory)][0].verified = false;
  EXPECT_THAT(sort_profiles({profile}, boards()).error().line(),
              HasSubstr("h200.json: holds no figure"));
}

TEST(CardProfiles, AGpuThatIsInNoCatalogIsAWarning) {
  Profile profile = h200(4.4e12);
  profile.device.name = "Riva 128";
  profile.device.sm_count.reset();
  const auto sorted = sort_profiles({profile}, boards());
  ASSERT_TRUE(sorted);
  EXPECT_THAT(sorted->cards, IsEmpty());
  EXPECT_THAT(sorted->warnings, ElementsAre(HasSubstr("Riva 128 is not in the catalog")));
}

TEST(CardProfiles, RatesAboveThePeakAreRefused) {
  EXPECT_THAT(sort_profiles({h200(4.8e13)}, boards()).error().line(),
              HasSubstr("dram_stream is 10 times what h200-sxm-141gb can do"));
}

TEST(CardProfiles, APartOfACardIsRefused) {
  Profile profile = h200(4.4e12);
  profile.device.mig = true;
  EXPECT_THAT(sort_profiles({profile}, boards()).error().line(), HasSubstr("MIG"));
}

TEST(CardProfiles, WhatMakesAMeasurementDoubtfulIsTold) {
  Profile profile = h200(4.4e12);
  profile.complete = false;
  profile.device.power_limit_watts = 500;
  profile.unusable = 2;
  profile.first_unusable = "/calibration/0: there is no math";
  const auto sorted = sort_profiles({profile}, boards());
  ASSERT_TRUE(sorted);
  EXPECT_THAT(sorted->warnings,
              ElementsAre(HasSubstr("cut short"), HasSubstr("2 timed operations"),
                          HasSubstr("power limit of 500 W, h200-sxm-141gb has 700 W")));
}

}  // namespace
}  // namespace uplift::decide
