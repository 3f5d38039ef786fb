// SPDX-License-Identifier: Apache-2.0
// What names tell: a table of real ones, judged by hand (tests/data/kernel_names.tsv), and the
// cases where the operator decides.
#include "uplift/read/trace/kernel_name.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace uplift::read {
namespace {

struct Row {
  std::string kernel_class, math, pass, name;
};

std::vector<Row> table() {
  std::vector<Row> rows;
  std::ifstream file(UPLIFT_TEST_DATA "/kernel_names.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Row row;
    std::getline(fields, row.kernel_class, '\t');
    std::getline(fields, row.math, '\t');
    std::getline(fields, row.pass, '\t');
    std::getline(fields, row.name);
    rows.push_back(row);
  }
  return rows;
}

std::string pass_word(std::optional<ConvPass> pass) {
  if (!pass) return "-";
  switch (*pass) {
    case ConvPass::kForward:
      return "fwd";
    case ConvPass::kDataGradient:
      return "dgrad";
    case ConvPass::kWeightGradient:
      return "wgrad";
  }
  return "-";
}

TEST(KernelName, RealNamesAreClassified) {
  const auto rows = table();
  ASSERT_GE(rows.size(), 60u);
  for (const Row& row : rows) {
    EXPECT_EQ(row.kernel_class, word(classify_kernel(row.name, ""))) << row.name;
  }
}

TEST(KernelName, RealNamesStateTheirArithmetic) {
  for (const Row& row : table()) {
    const auto math = kernel_math(row.name);
    if (row.math != "-") {
      ASSERT_TRUE(math) << row.name;
      EXPECT_EQ(row.math, word(*math)) << row.name;
    } else if (row.kernel_class == "gemm" || row.kernel_class == "conv" ||
               row.kernel_class == "attention") {
      EXPECT_FALSE(math && *math != Math::kFp32) << row.name;
    }
  }
}

TEST(KernelName, RealConvolutionsStateTheirPass) {
  for (const Row& row : table()) {
    if (row.kernel_class != "conv") continue;
    EXPECT_EQ(row.pass, pass_word(conv_pass(row.name))) << row.name;
  }
}

TEST(KernelName, OnlyKernelsThatDoTheWorkOfTheirOperatorDoArithmetic) {
  for (const Row& row : table()) {
    const bool expected =
        row.kernel_class == "gemm" || row.kernel_class == "conv" || row.kernel_class == "attention";
    EXPECT_EQ(expected, does_arithmetic(classify_kernel(row.name, ""), row.name)) << row.name;
  }
  EXPECT_FALSE(does_arithmetic(KernelClass::kAttention, "flash_bwd_dot_do_o_kernel"));
  EXPECT_FALSE(does_arithmetic(KernelClass::kAttention, "flash_bwd_convert_dq_kernel"));
}

TEST(KernelName, TheOperatorDecidesWhereTheNameDoesNot) {
  EXPECT_EQ(KernelClass::kConv, classify_kernel("volta_sgemm_128x64_nn", "aten::convolution"));
  EXPECT_EQ(KernelClass::kGemm, classify_kernel("kernel_4", "aten::mm"));
  EXPECT_EQ(KernelClass::kNorm, classify_kernel("kernel_4", "aten::native_layer_norm"));
  EXPECT_EQ(KernelClass::kOther, classify_kernel("kernel_4", "my::operator"));
  EXPECT_EQ(KernelClass::kOther, classify_kernel("", ""));
}

TEST(KernelName, NvjetNamesStateTheirInputType) {
  EXPECT_EQ(Math::kBf16, kernel_math("nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT"));
  EXPECT_EQ(Math::kFp16, kernel_math("nvjet_sm100_hsh_256x128_64x4_2x1_v_bz"));
  EXPECT_EQ(Math::kFp8, kernel_math("nvjet_sm90_qqtst_128x256_128x4_1x2"));
  EXPECT_EQ(Math::kTf32, kernel_math("nvjet_sm90_sss_128x128_32x4"));
  EXPECT_EQ(std::nullopt, kernel_math("nvjet_"));
  EXPECT_EQ(std::nullopt, kernel_math("nvjet_sm90"));
}

TEST(KernelName, FrameworkTypesHaveArithmeticAndSize) {
  EXPECT_EQ(Math::kFp32, type_math("float"));
  EXPECT_EQ(Math::kBf16, type_math("c10::BFloat16"));
  EXPECT_EQ(Math::kFp8, type_math("c10::Float8_e4m3fn"));
  EXPECT_EQ(std::nullopt, type_math("long int"));
  EXPECT_EQ(std::nullopt, type_math(""));
  EXPECT_EQ(4, type_bytes("float"));
  EXPECT_EQ(2, type_bytes("c10::Half"));
  EXPECT_EQ(8, type_bytes("long int"));
  EXPECT_EQ(2, opaque_bytes("void CatArrayBatchedCopy<OpaqueType<2u>, unsigned int, 4>"));
  EXPECT_EQ(0, opaque_bytes("void CatArrayBatchedCopy<float, unsigned int, 4>"));
  EXPECT_EQ(0, opaque_bytes("OpaqueType<"));
  EXPECT_EQ(1, type_bytes("bool"));
  EXPECT_EQ(0, type_bytes("TensorList"));
}

TEST(KernelName, AmdNamesAreKnown) {
  EXPECT_TRUE(is_amd_kernel("Cijk_Alik_Bljk_SB_MT64x16x32_MI16x16x1"));
  EXPECT_TRUE(is_amd_kernel("__amd_rocclr_copyBuffer"));
  for (const Row& row : table()) EXPECT_FALSE(is_amd_kernel(row.name)) << row.name;
}

}  // namespace
}  // namespace uplift::read
