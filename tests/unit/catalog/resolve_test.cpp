// SPDX-License-Identifier: Apache-2.0
#include "uplift/catalog/catalog.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace uplift::catalog {
namespace {

const Catalog& catalog() {
  static const Catalog kCatalog = *Catalog::load();
  return kCatalog;
}

std::string id_of(std::string_view name) {
  const auto found = catalog().resolve(name);
  return found ? found->gpu->id : found.error().line();
}

std::string note_of(std::string_view name) { return catalog().resolve(name)->note; }

TEST(Resolve, CanonicalIdsInAnyCase) {
  for (const Gpu& gpu : catalog().all()) {
    EXPECT_EQ(id_of(gpu.id), gpu.id);
    EXPECT_EQ(note_of(gpu.id), "");
  }
  EXPECT_EQ(id_of("A100-SXM4-80GB"), "a100-sxm4-80gb");
}

TEST(Resolve, NamesThatDriversPrint) {
  const std::pair<const char*, const char*> names[] = {
      {"Tesla V100-SXM2-32GB", "v100-sxm2-32gb"},
      {"Tesla V100-PCIE-16GB", "v100-pcie-16gb"},
      {"Tesla V100S-PCIE-32GB", "v100s-pcie-32gb"},
      {"Tesla T4", "t4"},
      {"Tesla P4", "p4"},
      {"NVIDIA A100-SXM4-40GB", "a100-sxm4-40gb"},
      {"A100-SXM4-40GB", "a100-sxm4-40gb"},
      {"A100-SXM-80GB", "a100-sxm4-80gb"},
      {"NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
      {"NVIDIA A100-PCIE-40GB", "a100-pcie-40gb"},
      {"NVIDIA A10", "a10"},
      {"NVIDIA A30", "a30"},
      {"NVIDIA H100 80GB HBM3", "h100-sxm5-80gb"},
      {"NVIDIA H100 PCIe", "h100-pcie-80gb"},
      {"NVIDIA H100 NVL", "h100-nvl-94gb"},
      {"NVIDIA H200", "h200-sxm-141gb"},
      {"NVIDIA GH200 480GB", "gh200-96gb"},
      {"NVIDIA B200", "b200-sxm"},
      {"NVIDIA L40S", "l40s"},
      {"NVIDIA L4", "l4"},
      {"NVIDIA GeForce RTX 2080 Ti", "rtx-2080-ti"},
      {"GeForce RTX 3090", "rtx-3090"},
  };
  for (const auto& [name, id] : names) {
    EXPECT_EQ(id_of(name), id) << name;
    EXPECT_EQ(note_of(name), "") << name;
  }
}

TEST(Resolve, NearestBoardsComeWithANote) {
  for (const auto& [name, id] : {std::pair{"Tesla V100-DGXS-32GB", "v100-sxm2-32gb"},
                                 {"NVIDIA A100-PG509-200", "a100-sxm4-40gb"},
                                 {"NVIDIA A100-SXM4-80GB MIG 1g.10gb", "a100-sxm4-80gb"},
                                 {"NVIDIA H200 NVL", "h200-sxm-141gb"},
                                 {"Tesla V100-SXM2-16GB-N", "v100-sxm2-16gb"}}) {
    EXPECT_EQ(id_of(name), id) << name;
    EXPECT_NE(note_of(name).find("nearest board"), std::string::npos) << name;
  }
}

TEST(Resolve, UniqueShortNamesAreTaken) {
  EXPECT_EQ(id_of("h200"), "h200-sxm-141gb");
  EXPECT_EQ(id_of("b200"), "b200-sxm");
  EXPECT_EQ(id_of("a100-sxm4-80"), "a100-sxm4-80gb");
  EXPECT_EQ(id_of("h100-sxm"), "h100-sxm5-80gb");
  EXPECT_EQ(id_of("RTX 4090"), "rtx-4090");
}

TEST(Resolve, ShortNamesThatFitSeveralAreRefusedWithTheList) {
  for (const char* name : {"a100", "v100", "h100", "gh200", "p100", "a100-80gb"}) {
    const auto found = catalog().resolve(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().kind, ErrorKind::kNotFound);
    EXPECT_EQ(exit_code(found.error().kind), 2);
  }
  EXPECT_EQ(id_of("a100"),
            "\"a100\" fits several GPUs; name one of a100-pcie-40gb, a100-pcie-80gb, "
            "a100-sxm4-40gb, a100-sxm4-80gb");
}

TEST(Resolve, AnotherProductOfTheSameNumberIsNotTaken) {
  for (const char* name : {"RTX 2080", "NVIDIA GeForce RTX 3090 Ti", "RTX 4090 Laptop GPU",
                           "NVIDIA A10G", "RTX 4090 D", "L20", "A800-SXM4-80GB"}) {
    EXPECT_FALSE(catalog().resolve(name)) << name << " became " << id_of(name);
  }
}

TEST(Resolve, UnknownNamesSuggest) {
  EXPECT_NE(id_of("h1000").find("did you mean h100"), std::string::npos) << id_of("h1000");
  EXPECT_EQ(id_of("banana-split-machine"),
            "unknown GPU \"banana-split-machine\"; `uplift gpus` lists all, --gpu-file adds one");
  EXPECT_EQ(catalog().resolve("").error().kind, ErrorKind::kNotFound);
}

TEST(Resolve, OtherVendorsAreTheirOwnError) {
  for (const char* name : {"AMD Instinct MI300X", "AMD Radeon Graphics", "mi210"}) {
    const auto found = catalog().resolve(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().kind, ErrorKind::kUnsupported) << name;
    EXPECT_EQ(exit_code(found.error().kind), 1);
  }
}

TEST(ResolveDevice, MemoryChoosesAmongVariants) {
  DeviceHints hints{"NVIDIA A100", 108, 85.0e9, ComputeCapability{8, 0}};
  auto found = catalog().resolve_device(hints);
  ASSERT_TRUE(found) << found.error().line();
  EXPECT_EQ(found->gpu->memory_bytes->value, 80e9);
  EXPECT_NE(found->note, "");
  hints.memory_bytes = 42.3e9;
  found = catalog().resolve_device(hints);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->gpu->memory_bytes->value, 40e9);
}

TEST(ResolveDevice, SmCountChoosesAmongVariants) {
  const auto found =
      catalog().resolve_device({"NVIDIA H100", 114, 85.0e9, ComputeCapability{9, 0}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->gpu->id, "h100-pcie-80gb");
}

TEST(ResolveDevice, RealTraceDevicesAgreeWithTheirBoards) {
  const auto v100 = catalog().resolve_device(
      {"Tesla V100-SXM2-32GB", 80, 34089730048.0, ComputeCapability{7, 0}});
  ASSERT_TRUE(v100);
  EXPECT_EQ(v100->note, "");
  const auto h200 =
      catalog().resolve_device({"NVIDIA H200", 132, 150109880320.0, ComputeCapability{9, 0}});
  ASSERT_TRUE(h200);
  EXPECT_EQ(h200->note, "");
}

TEST(ResolveDevice, AContradictionIsTold) {
  const auto found = catalog().resolve_device({"NVIDIA H200", 16, std::nullopt, std::nullopt});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->note, "the device reports 16 SMs, h200-sxm-141gb has 132");
}

RC_GTEST_PROP(Resolve, AnyNameGivesABoardOrOneLine, (const std::string& name)) {
  const auto found = catalog().resolve(name);
  if (!found) RC_ASSERT(found.error().line().find('\n') == std::string::npos);
}

}  // namespace
}  // namespace uplift::catalog
