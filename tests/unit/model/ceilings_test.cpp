// SPDX-License-Identifier: Apache-2.0
// The four terms of a card, on boards whose numbers are worked out in the comments.
#include "uplift/catalog/catalog.hpp"
#include "uplift/model/gpu_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace uplift::model {
namespace {

const catalog::Catalog& boards() {
  static const catalog::Catalog kCatalog = catalog::Catalog::load().value();
  return kCatalog;
}

const Parameters& parameters() {
  static const Parameters kParameters = load_parameters().value();
  return kParameters;
}

GpuModel build(std::string_view id, Basis basis) {
  return build_gpu_model(*boards().find(id), basis, parameters()).value();
}

TEST(Tensor, APlentyOfPowerLeavesAShareOfThePeak) {
  Gpu a100 = *boards().find("a100-sxm4-40gb");
  a100.board_power->value = 1e6;
  const GpuModel model = build_gpu_model(a100, Basis::kDatasheet, parameters()).value();
  const double bf16 = 312e12 * parameters().sustained_tensor;
  const double fp32 = 19.5e12 * parameters().sustained_fp32;
  EXPECT_NEAR(bf16, model.tensor.sustained[index(Math::kBf16)].value(), bf16 * 1e-9);
  EXPECT_NEAR(fp32, model.tensor.sustained[index(Math::kFp32)].value(), fp32 * 1e-9);
}

TEST(Tensor, ABoardWhosePowerIsNotKnownCountsAsMadeForItsRate) {
  Gpu a100 = *boards().find("a100-sxm4-40gb");
  a100.board_power.reset();
  const GpuModel model = build_gpu_model(a100, Basis::kDatasheet, parameters()).value();
  const double half = std::pow(2, -1 / parameters().power_softness);  // of 1 / (1 + 1)^(1 / n)
  EXPECT_NEAR(312e12 * parameters().sustained_tensor * half,
              model.tensor.sustained[index(Math::kBf16)].value(), 1e9);
}

TEST(Tensor, WherePowerIsAskedForAsMuchAsThereIsTheRateFallsByTheSoftMinimum) {
  // 19.5 TFLOP/s x share x J/FLOP at 7 nm is what a full-rate SGEMM of an A100 takes; with just
  // that much beside the idle power, the rate is 1 / (1 + 1)^(1 / softness) of the share.
  Gpu a100 = *boards().find("a100-sxm4-40gb");
  const double rate = 19.5e12 * parameters().sustained_fp32;
  a100.board_power->value = rate * parameters().cuda_core_joules / (1 - parameters().idle_power);
  const GpuModel model = build_gpu_model(a100, Basis::kDatasheet, parameters()).value();
  EXPECT_NEAR(rate * std::pow(2, -1 / parameters().power_softness),
              model.tensor.sustained[index(Math::kFp32)].value(), rate * 1e-9);
}

TEST(Tensor, SmallBoardsAreHeldBackByTheirPowerAndLargeOnesAreNot) {
  const auto share = [](std::string_view id) {
    return build(id, Basis::kDatasheet).tensor.sustained[index(Math::kFp32)].value() /
           boards().find(id)->dense_peak[index(Math::kFp32)]->value;
  };
  EXPECT_LT(share("t4"), 0.75);
  EXPECT_GT(share("v100-pcie-32gb"), 0.8);
  EXPECT_GT(share("a100-pcie-80gb"), 0.85);
}

TEST(Tensor, MorePowerNeverMakesACardSlower) {
  for (const Gpu& board : boards().all()) {
    if (!board.board_power || !board.dense_peak[index(Math::kFp32)]) continue;
    Gpu more = board;
    more.board_power->value *= 1.2;
    const auto before = build_gpu_model(board, Basis::kDatasheet, parameters());
    const auto after = build_gpu_model(more, Basis::kDatasheet, parameters());
    ASSERT_TRUE(before && after) << board.id;
    for (const Math math : kMaths) {
      EXPECT_GE(after->tensor.sustained[index(math)], before->tensor.sustained[index(math)])
          << board.id << ' ' << word(math);
    }
  }
}

TEST(Tensor, PublishedBasisIsThePublishedFigure) {
  const Gpu& board = *boards().find("a100-sxm4-80gb");
  const GpuModel a100 = build("a100-sxm4-80gb", Basis::kPublished);
  EXPECT_EQ(Basis::kPublished, a100.basis);
  EXPECT_DOUBLE_EQ(board.published.gemm[index(Math::kBf16)]->value,
                   a100.tensor.sustained[index(Math::kBf16)].value());
}

TEST(Tensor, VoltaRunsTf32AndBf16OnItsCudaCores) {
  const GpuModel v100 = build("v100-sxm2-32gb", Basis::kPublished);
  EXPECT_EQ(Math::kFp32, v100.tensor.choice[index(Math::kTf32)].math);
  EXPECT_EQ(Math::kFp32, v100.tensor.choice[index(Math::kBf16)].math);
  EXPECT_TRUE(v100.tensor.choice[index(Math::kBf16)].substituted);
  EXPECT_FALSE(v100.tensor.choice[index(Math::kFp16)].substituted);
}

TEST(Tensor, AmpereRunsFp8AsFp16) {
  const GpuModel a100 = build("a100-sxm4-80gb", Basis::kDatasheet);
  EXPECT_EQ(Math::kFp16, a100.tensor.choice[index(Math::kFp8)].math);
}

TEST(Tensor, ABoardWithoutItsNumbersIsRefusedWithAdvice) {
  Gpu gpu = *boards().find("t4");
  gpu.boost_clock.reset();
  const auto built = build_gpu_model(gpu, Basis::kPublished, parameters());
  ASSERT_FALSE(built);
  EXPECT_EQ(ErrorKind::kUnsupported, built.error().kind);
  EXPECT_NE(std::string::npos, built.error().line().find("--gpu-file"));
}

TEST(Memory, StreamIsPublishedOrAShareOfTheDataSheet) {
  EXPECT_NEAR(1555e9 * parameters().dram_hbm,
              build("a100-sxm4-40gb", Basis::kDatasheet).memory.stream.value(), 1e6);
  EXPECT_DOUBLE_EQ(1397e9, build("a100-sxm4-40gb", Basis::kPublished).memory.stream.value());
}

TEST(Memory, TheShareGoesByTheKindOfMemory) {
  const auto share = [](std::string_view id) {
    return dram_share(*boards().find(id), parameters());
  };
  EXPECT_EQ(parameters().dram_hbm_pascal, share("p100-pcie-16gb"));
  EXPECT_EQ(parameters().dram_hbm, share("v100-pcie-16gb"));
  EXPECT_EQ(parameters().dram_gddr_ecc, share("t4"));
  EXPECT_EQ(parameters().dram_gddr, share("rtx-2080-ti"));
  Gpu unknown = *boards().find("t4");
  unknown.memory_type = "LPDDR5X";
  EXPECT_EQ(parameters().dram_other, dram_share(unknown, parameters()));
}

TEST(Cache, HalfOfTheL2IsKept) {
  CacheCeilings cache;
  cache.l2 = Bytes(40e6);
  cache.bandwidth = BytesPerSecond(4e12);
  // reach 0.5, steepness 1: 1 / (1 + 1), 1 / (1 + 0.2), 1 / (1 + 20).
  EXPECT_DOUBLE_EQ(0.5, l2_share(Bytes(20e6), cache, parameters()));
  EXPECT_NEAR(0.833, l2_share(Bytes(4e6), cache, parameters()), 1e-3);
  EXPECT_NEAR(0.0476, l2_share(Bytes(400e6), cache, parameters()), 1e-4);
}

TEST(Cache, AnUnknownL2ServesNothing) {
  EXPECT_EQ(0.0, l2_share(Bytes(1e3), CacheCeilings{}, parameters()));
}

TEST(Copy, PcieDoublesWithEachGeneration) {
  // 16 lanes x 0.985 GB/s x 0.80 share = 12.6 GB/s in PCIe 3.0.
  EXPECT_NEAR(12.6e9, build("v100-pcie-16gb", Basis::kDatasheet).copy.host_pinned.value(), 0.1e9);
  EXPECT_NEAR(25.2e9, build("a100-pcie-40gb", Basis::kDatasheet).copy.host_pinned.value(), 0.1e9);
}

TEST(Copy, GraceReachesItsHostOverC2c) {
  // 900 GB/s both ways, half one way, 0.80 share.
  EXPECT_NEAR(360e9, build("gh200-96gb", Basis::kDatasheet).copy.host_pinned.value(), 1e9);
}

TEST(Copy, CardsWithoutNvlinkTalkOverPcie) {
  const GpuModel l40s = build("l40s", Basis::kDatasheet);
  EXPECT_FALSE(l40s.copy.has_nvlink);
  EXPECT_NEAR(25.2e9, l40s.copy.peer.value(), 0.1e9);
  EXPECT_NEAR(300e9, build("a100-sxm4-40gb", Basis::kDatasheet).copy.peer.value(), 1e9);
}

TEST(GpuModel, EveryDimensionIsTakenAloneOrNotModelled) {
  const GpuModel v100 = build("v100-sxm2-32gb", Basis::kDatasheet);
  const GpuModel a100 = build("a100-sxm4-40gb", Basis::kDatasheet);
  for (const Dimension dimension : kDimensions) {
    GpuModel mixed = v100;
    take_dimension(mixed, a100, dimension);
    const bool tensor = mixed.tensor.sm_count != v100.tensor.sm_count;
    const bool memory = mixed.memory.stream != v100.memory.stream;
    const bool cache = mixed.cache.l2 != v100.cache.l2;
    const bool copy = mixed.copy.host_pinned != v100.copy.host_pinned;
    EXPECT_EQ(is_modelled(dimension) ? 1 : 0, tensor + memory + cache + copy) << word(dimension);
  }
}

}  // namespace
}  // namespace uplift::model
