// SPDX-License-Identifier: Apache-2.0
// The data that the binary carries: complete, sourced, and with the facts that decisions hang on.
#include "uplift/catalog/catalog.hpp"

#include "uplift/core/gpu_fields.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>

namespace uplift::catalog {
namespace {

const Catalog& catalog() {
  static const Catalog kCatalog = [] {
    auto loaded = Catalog::load();
    if (!loaded) ADD_FAILURE() << loaded.error().line();
    return loaded ? std::move(*loaded) : Catalog();
  }();
  return kCatalog;
}

TEST(Catalog, HoldsTheBoards) {
  EXPECT_EQ(catalog().all().size(), 30u);
  for (const char* id : {"p4",
                         "p100-pcie-16gb",
                         "p100-sxm2-16gb",
                         "v100-pcie-16gb",
                         "v100-pcie-32gb",
                         "v100-sxm2-16gb",
                         "v100-sxm2-32gb",
                         "t4",
                         "a100-pcie-40gb",
                         "a100-pcie-80gb",
                         "a100-sxm4-40gb",
                         "a100-sxm4-80gb",
                         "a10",
                         "a30",
                         "a40",
                         "l4",
                         "l40",
                         "l40s",
                         "h100-pcie-80gb",
                         "h100-sxm5-80gb",
                         "h100-nvl-94gb",
                         "h200-sxm-141gb",
                         "gh200-96gb",
                         "b200-sxm",
                         "rtx-2080-ti",
                         "rtx-3090",
                         "rtx-4090"}) {
    EXPECT_NE(catalog().find(id), nullptr) << id;
  }
  EXPECT_EQ(catalog().date().size(), 10u);
}

TEST(Catalog, IdsAndPrintedNamesAreUnique) {
  std::set<std::string> names;
  for (const Gpu& gpu : catalog().all()) {
    EXPECT_TRUE(names.insert(gpu.id).second) << gpu.id;
    EXPECT_TRUE(names.insert(gpu.name).second) << gpu.name;
    for (const auto& alias : gpu.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
    for (const auto& alias : gpu.near_aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
  }
}

TEST(Catalog, EveryNumberHasASource) {
  for (const Gpu& gpu : catalog().all()) {
    EXPECT_FALSE(gpu.support_source.empty()) << gpu.id;
    for (const GpuField& field : gpu_fields()) {
      const MaybeFact& fact = field.read(gpu);
      if (fact) {
        EXPECT_GE(fact->source.size(), 4u) << gpu.id << " " << field.path;
      }
    }
  }
}

TEST(Catalog, SparsePeaksAreTwiceTheDenseOnes) {
  for (const Gpu& gpu : catalog().all()) {
    for (const Math math : kMaths) {
      const auto& sparse = gpu.sparse_peak[index(math)];
      if (!sparse) continue;
      const auto& dense = gpu.dense_peak[index(math)];
      ASSERT_TRUE(dense) << gpu.id;
      EXPECT_NEAR(sparse->value / dense->value, 2.0, 1e-3) << gpu.id << " " << word(math);
      EXPECT_EQ(sparse->provenance, Provenance::kDerived);
    }
  }
}

TEST(Catalog, PublishedFiguresStayBelowThePeak) {
  for (const Gpu& gpu : catalog().all()) {
    if (gpu.published.dram_stream) {
      const double share = gpu.published.dram_stream->value / gpu.dram_bandwidth->value;
      EXPECT_LT(share, 1.0) << gpu.id;
      EXPECT_GT(share, 0.74) << gpu.id << ": a kernel that does not fill the card";
    }
    for (const Math math : kMaths) {
      const auto& gemm = gpu.published.gemm[index(math)];
      const auto& peak = gpu.dense_peak[index(math)];
      // Boards without a power cap below it run above the nominal boost clock: 9 % on RTX 2080 Ti.
      if (gemm && peak) {
        EXPECT_LT(gemm->value / peak->value, 1.1) << gpu.id << " " << word(math);
      }
    }
  }
}

TEST(Catalog, OlderThanTuringEndsWithCuda12) {
  for (const Gpu& gpu : catalog().all()) {
    const bool old = gpu.compute_capability < ComputeCapability{7, 5};
    EXPECT_EQ(gpu.last_cuda_toolkit, old ? "12.9" : "") << gpu.id;
    EXPECT_EQ(gpu.last_driver_branch, old ? "R580" : "") << gpu.id;
  }
}

TEST(Catalog, KnowsWhatUpgradesTakeAway) {
  const auto* h100 = catalog().find("h100-sxm5-80gb");
  const auto* b200 = catalog().find("b200-sxm");
  const auto fp64 = index(Math::kFp64Tc);
  EXPECT_LT(b200->dense_peak[fp64]->value, h100->dense_peak[fp64]->value);
  EXPECT_TRUE(catalog().find("a100-sxm4-80gb")->dense_peak[index(Math::kInt4)]);
  EXPECT_FALSE(h100->dense_peak[index(Math::kInt4)]);
  EXPECT_FALSE(catalog().find("l40s")->nvlink_bandwidth);
}

TEST(Catalog, EveryBoardHasItsFormats) {
  for (const Gpu& gpu : catalog().all()) {
    const auto* formats = catalog().formats(gpu.compute_capability);
    ASSERT_NE(formats, nullptr) << gpu.id;
    // A tensor peak in the board file needs a tensor path in the family, and the other way round.
    for (const Math math : {Math::kTf32, Math::kFp16, Math::kBf16, Math::kFp8, Math::kInt8}) {
      const auto* support = formats->find(word(math));
      ASSERT_NE(support, nullptr) << gpu.id << " " << word(math);
      if (gpu.dense_peak[index(math)]) {
        EXPECT_TRUE(support->tensor_core) << gpu.id << word(math);
      }
      if (gpu.sparse_peak[index(math)]) {
        EXPECT_TRUE(support->sparse_2to4) << gpu.id << word(math);
      }
    }
  }
}

TEST(Catalog, UserFilesAreAddedAndMayNotTakeAnId) {
  const auto folder = std::filesystem::temp_directory_path() / "uplift_catalog_test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* file, const char* id) {
    std::ofstream(folder / file)
        << "format = 1\nid = \"" << id << "\"\nname = \"Mine\"\ncompute_capability = \"9.0\"\n"
        << "[compute]\nsm_count = { value = 10, unit = \"count\", source = \"me\", how = \"read\" "
           "}\n"
        << "[memory]\ncapacity = { value = 8, unit = \"GB\", source = \"me\", how = \"read\" }\n";
    return folder / file;
  };
  const std::filesystem::path mine[] = {write("mine.toml", "mine")};
  const auto loaded = Catalog::load(mine);
  ASSERT_TRUE(loaded) << loaded.error().line();
  EXPECT_NE(loaded->find("mine"), nullptr);
  EXPECT_EQ(list_gpu_files(folder).size(), 1u);
  const std::filesystem::path taken[] = {write("taken.toml", "t4")};
  const auto refused = Catalog::load(taken);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().line(),
            "taken.toml: id \"t4\" is already in the catalog; give the board another id");
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(list_gpu_files(folder).empty());
}

}  // namespace
}  // namespace uplift::catalog
