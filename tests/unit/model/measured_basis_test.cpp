// SPDX-License-Identifier: Apache-2.0
// What a profile puts in the place of published figures, and what it leaves.
#include "uplift/catalog/catalog.hpp"
#include "uplift/model/gpu_model.hpp"

#include <gtest/gtest.h>

namespace uplift::model {
namespace {

const Gpu& h200() {
  static const catalog::Catalog kBoards = catalog::Catalog::load().value();
  return *kBoards.find("h200-sxm-141gb");
}

const Parameters& parameters() {
  static const Parameters kParameters = load_parameters().value();
  return kParameters;
}

Profile with(std::string quantity, double value) {
  ProfileSample sample;
  sample.quantity = std::move(quantity);
  sample.value = value;
  Profile profile;
  profile.samples[0].push_back(sample);
  return profile;
}

GpuModel build(Basis asked, const Profile* profile) {
  return build_gpu_model(h200(), asked, parameters(), profile).value();
}

TEST(MeasuredBasis, TakesWhatTheProfileHasAndLeavesTheRest) {
  const GpuModel published = build(Basis::kPublished, nullptr);
  Profile profile = with("gemm_bf16", 700e12);
  profile.samples[1] = with("dram_stream", 4.2e12).samples[0];
  profile.samples[2] = with("l2_read", 9e12).samples[0];
  profile.samples[3] = with("launch", 1.4e-6).samples[0];
  const GpuModel measured = build(Basis::kMeasured, &profile);
  EXPECT_EQ(Basis::kMeasured, measured.basis);
  EXPECT_EQ("measured", word(measured.basis));
  EXPECT_DOUBLE_EQ(700e12, measured.tensor.sustained[index(Math::kBf16)].value());
  EXPECT_DOUBLE_EQ(published.tensor.sustained[index(Math::kFp32)].value(),
                   measured.tensor.sustained[index(Math::kFp32)].value());
  EXPECT_DOUBLE_EQ(4.2e12, measured.memory.stream.value());
  EXPECT_DOUBLE_EQ(9e12, measured.cache.bandwidth.value());
  EXPECT_DOUBLE_EQ(1.4e-6, measured.copy.kernel_floor.value());
  EXPECT_DOUBLE_EQ(published.copy.host_pinned.value(), measured.copy.host_pinned.value());
}

TEST(MeasuredBasis, TheLinkIsTheRateOfAsMuchEachWay) {
  Profile profile = with("h2d", 40e9);
  EXPECT_DOUBLE_EQ(40e9, build(Basis::kMeasured, &profile).copy.host_pinned.value());
  profile.samples[1] = with("d2h", 60e9).samples[0];
  // 1 B there and 1 B back at 40 and 60 B/s: 2 / (1/40 + 1/60) = 48 B/s.
  EXPECT_DOUBLE_EQ(48e9, build(Basis::kMeasured, &profile).copy.host_pinned.value());
}

TEST(MeasuredBasis, IsOnlyTakenIfItIsAskedFor) {
  const Profile profile = with("dram_stream", 4.2e12);
  EXPECT_EQ(Basis::kPublished, build(Basis::kPublished, &profile).basis);
  EXPECT_EQ(Basis::kDatasheet, build(Basis::kDatasheet, &profile).basis);
  EXPECT_EQ(Basis::kPublished, build(Basis::kMeasured, nullptr).basis);
}

TEST(MeasuredBasis, FiguresOfNoUseAreNoCeilings) {
  EXPECT_TRUE(has_ceilings(with("gemm_fp8", 1e15)));
  EXPECT_TRUE(has_ceilings(with("launch", 1e-6)));
  EXPECT_FALSE(has_ceilings(with("idle_power", 70)));
  EXPECT_FALSE(has_ceilings(Profile()));
}

}  // namespace
}  // namespace uplift::model
