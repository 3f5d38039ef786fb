// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/catalog/catalog.hpp"

#include <gtest/gtest.h>

#include <set>

namespace uplift::predict {
namespace {

model::GpuModel board(std::string_view id) {
  static const catalog::Catalog kBoards = catalog::Catalog::load().value();
  static const model::Parameters kParameters = model::load_parameters().value();
  return model::build_gpu_model(*kBoards.find(id), model::Basis::kPublished, kParameters).value();
}

std::string_view family_name(OpKind kind, Math math, OpShape shape) {
  const OpFamily* family = family_of({kind, math, 4, 4, std::move(shape)});
  return family == nullptr ? "none" : family->name();
}

Math ran_as(OpKind kind, Math math, std::string_view card) {
  Op op;
  op.kind = kind;
  op.math = math;
  return as_run(op, board(card)).math;
}

TEST(Families, HaveNamesAndConstantsOfTheirOwn) {
  std::set<std::string_view> names;
  for (const OpFamily* family : op_families()) {
    EXPECT_TRUE(names.insert(family->name()).second) << family->name();
    std::set<std::string_view> keys;
    for (const ParameterRange& range : family->parameters()) {
      EXPECT_TRUE(keys.insert(range.name).second) << family->name() << ' ' << range.name;
    }
  }
}

TEST(Families, ProductsAreToldApartByFormatAndBatch) {
  using enum Math;
  for (const Math math : {kFp32, kFp64}) {
    EXPECT_EQ("gemm_fp32", family_name(OpKind::kGemm, math, GemmShape{1, 8, 8, 8}));
    EXPECT_EQ("gemm_batched_fp32", family_name(OpKind::kGemm, math, GemmShape{2, 8, 8, 8}));
  }
  for (const Math math : {kFp64Tc, kTf32, kFp16, kBf16, kInt8, kInt4}) {
    EXPECT_EQ("gemm_tensor", family_name(OpKind::kGemm, math, GemmShape{2, 8, 8, 8}));
  }
  EXPECT_EQ("gemm_fp8", family_name(OpKind::kGemm, kFp8, GemmShape{}));
}

TEST(Families, ConvolutionsAreToldApartByFormat) {
  using enum Math;
  for (const OpKind kind : {OpKind::kConv2d, OpKind::kConv3d}) {
    for (const Math math : {kFp32, kFp64, kFp64Tc}) {
      EXPECT_EQ("conv_fp32", family_name(kind, math, ConvShape{}));
    }
    for (const Math math : {kTf32, kFp16, kBf16, kFp8, kInt8, kInt4}) {
      EXPECT_EQ("conv_tensor", family_name(kind, math, ConvShape{}));
    }
  }
}

TEST(Families, AttentionDecodesWhereFewQueriesMeetACache) {
  const auto name = [](std::int64_t q_len, std::int64_t kv_len, bool backward = false) {
    return family_name(OpKind::kAttention, Math::kBf16,
                       AttentionShape{1, 8, 8, q_len, kv_len, 64, true, backward});
  };
  EXPECT_EQ("attention_decode", name(1, 1000));
  EXPECT_EQ("attention_decode", name(16, 17));
  EXPECT_EQ("attention_prefill", name(17, 1000));
  EXPECT_EQ("attention_prefill", name(1, 1));
  EXPECT_EQ("attention_prefill", name(1, 1000, true));
}

TEST(Families, EveryOtherKindHasOneInEveryFormat) {
  for (const Math math : kMaths) {
    EXPECT_EQ("softmax", family_name(OpKind::kSoftmax, math, RowsShape{}));
    EXPECT_EQ("layernorm", family_name(OpKind::kLayerNorm, math, RowsShape{}));
    EXPECT_EQ("elementwise", family_name(OpKind::kElementwise, math, ElementwiseShape{}));
    EXPECT_EQ("reduce", family_name(OpKind::kReduce, math, RowsShape{}));
    EXPECT_EQ("embedding", family_name(OpKind::kEmbedding, math, RowsShape{}));
    EXPECT_EQ("fft", family_name(OpKind::kFft, math, FftShape{}));
    EXPECT_EQ("spmv", family_name(OpKind::kSpmv, math, SpmvShape{}));
    EXPECT_EQ("stencil", family_name(OpKind::kStencil, math, StencilShape{}));
    EXPECT_EQ("kernel", family_name(OpKind::kKernel, math, KernelShape{}));
    for (const OpKind kind : {OpKind::kAllReduce, OpKind::kAllGather, OpKind::kReduceScatter,
                              OpKind::kAllToAll, OpKind::kSendRecv}) {
      EXPECT_EQ("collective", family_name(kind, math, CollectiveShape{}));
    }
  }
}

TEST(Families, AProductWithoutAShapeHasNone) {
  EXPECT_EQ("none", family_name(OpKind::kGemm, Math::kFp32, {}));
  EXPECT_EQ("none", family_name(OpKind::kAttention, Math::kBf16, {}));
}

TEST(Families, ACardWithoutAFormatRunsAnother) {
  using enum Math;
  EXPECT_EQ(kFp32, ran_as(OpKind::kGemm, kBf16, "v100-sxm2-32gb"));
  EXPECT_EQ(kFp32, ran_as(OpKind::kGemm, kTf32, "v100-sxm2-32gb"));
  EXPECT_EQ(kFp16, ran_as(OpKind::kGemm, kFp16, "v100-sxm2-32gb"));
  EXPECT_EQ(kBf16, ran_as(OpKind::kGemm, kBf16, "a100-sxm4-80gb"));
  EXPECT_NE(kFp8, ran_as(OpKind::kGemm, kFp8, "a100-sxm4-80gb"));
  EXPECT_EQ(kFp8, ran_as(OpKind::kGemm, kFp8, "h100-sxm5-80gb"));
}

TEST(Families, DoubleProductsRunOnTensorCoresThatHaveThem) {
  using enum Math;
  EXPECT_EQ(kFp64Tc, ran_as(OpKind::kGemm, kFp64, "a100-sxm4-80gb"));
  EXPECT_EQ(kFp64, ran_as(OpKind::kGemm, kFp64, "v100-sxm2-32gb"));
  EXPECT_EQ(kFp64, ran_as(OpKind::kGemm, kFp64, "l40s"));
  EXPECT_EQ(kFp64, ran_as(OpKind::kConv2d, kFp64, "a100-sxm4-80gb"));
  EXPECT_EQ(kFp64, ran_as(OpKind::kElementwise, kFp64, "a100-sxm4-80gb"));
}

TEST(Families, HalfPrecisionBeforeTensorCoresAddsUpInSingle) {
  using enum Math;
  EXPECT_EQ(kFp32, ran_as(OpKind::kGemm, kFp16, "p100-pcie-16gb"));
  EXPECT_EQ(kFp32, ran_as(OpKind::kConv2d, kFp16, "p4"));
  EXPECT_EQ(kFp16, ran_as(OpKind::kElementwise, kFp16, "p100-pcie-16gb"));
}

}  // namespace
}  // namespace uplift::predict
