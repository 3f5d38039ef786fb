// SPDX-License-Identifier: Apache-2.0
// Recorded operator arguments as the work of their kernels; expected shapes by hand from the
// operators' signatures (PyTorch's native_functions.yaml).
#include "uplift/read/trace/op_arguments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace uplift::read {
namespace {

OpShape shape(std::string_view op, std::string_view dims, std::string_view concrete = "",
              ConvPass pass = ConvPass::kForward) {
  return arithmetic_shape(op, parse_op_arguments(dims, "", concrete), pass);
}

ConvShape conv(std::int64_t n, std::int64_t c, std::int64_t k, std::array<std::int64_t, 3> spatial,
               std::array<std::int64_t, 3> filter, std::array<std::int64_t, 3> out,
               std::int64_t groups = 1, ConvPass pass = ConvPass::kForward) {
  ConvShape shape{n, c, k, groups, spatial, filter, out};
  shape.pass = pass;
  return shape;
}

TEST(OpArguments, ListsAreRead) {
  const auto arguments = parse_op_arguments(
      R"([[64, 3], [], [5]])", R"(["float", "", "c10::Half"])", R"(["", "[2, 2]", "say \"x\""])");
  ASSERT_EQ(3u, arguments.dims.size());
  EXPECT_EQ((std::vector<std::int64_t>{64, 3}), arguments.dims[0]);
  EXPECT_TRUE(arguments.dims[1].empty());
  EXPECT_EQ("c10::Half", arguments.types[2]);
  EXPECT_EQ("[2, 2]", arguments.concrete[1]);
  EXPECT_EQ("say \"x\"", arguments.concrete[2]);
}

TEST(OpArguments, MalformedListsAreEmpty) {
  for (const char* text : {"", "null", "[[1, 2]", "]]", "[[99999999999999999999]]", "{}"}) {
    EXPECT_TRUE(parse_op_arguments(text, text, text).dims.empty()) << text;
  }
}

TEST(OpArguments, MatrixProducts) {
  EXPECT_EQ(OpShape(GemmShape{1, 2, 4, 3}), shape("aten::mm", "[[2, 3], [3, 4]]"));
  EXPECT_EQ(OpShape(GemmShape{1, 2, 4, 3}), shape("aten::addmm", "[[4], [2, 3], [3, 4], [], []]"));
  EXPECT_EQ(OpShape(GemmShape{5, 2, 4, 3}), shape("aten::bmm", "[[5, 2, 3], [5, 3, 4]]"));
  EXPECT_EQ(OpShape(GemmShape{5, 2, 4, 3}),
            shape("aten::baddbmm", "[[5, 2, 4], [5, 2, 3], [5, 3, 4], [], []]"));
  EXPECT_EQ(OpShape(GemmShape{1, 20, 7, 3}), shape("aten::linear", "[[4, 5, 3], [7, 3], [7]]"));
}

TEST(OpArguments, ProductsThatDoNotFitAreUnknown) {
  EXPECT_FALSE(is_known(shape("aten::mm", "[[2, 3], [4, 5]]")));
  EXPECT_FALSE(is_known(shape("aten::mm", "[[2, 3]]")));
  EXPECT_FALSE(is_known(shape("aten::mm", "[[2], [3, 4]]")));
  EXPECT_FALSE(is_known(shape("aten::bmm", "[[2, 3], [3, 4]]")));
  EXPECT_FALSE(is_known(shape("aten::linear", "[[4, 5, 3], [7, 2]]")));
  EXPECT_FALSE(is_known(shape("my::mm", "[[2, 3], [3, 4]]")));
}

// ResNet-50's first layer: 224 + 2*3 - 7 over 2, plus 1, is 112.
TEST(OpArguments, Convolutions) {
  const auto first = conv(32, 3, 64, {1, 224, 224}, {1, 7, 7}, {1, 112, 112});
  EXPECT_EQ(OpShape(first),
            shape("aten::conv2d", "[[32, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], []]",
                  R"(["", "", "", "[2, 2]", "[3, 3]", "[1, 1]", "1"])"));
  EXPECT_EQ(OpShape(first),
            shape("aten::cudnn_convolution", "[[32, 3, 224, 224], [64, 3, 7, 7], [], [], [], []]",
                  R"(["", "", "[3, 3]", "[2, 2]", "[1, 1]", "1", "False", "False", "True"])"));
  EXPECT_EQ(
      OpShape(first),
      shape("aten::convolution", "[[32, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], []]",
            R"(["", "", "", "[2, 2]", "[3, 3]", "[1, 1]", "False", "[0, 0]", "1"])"));
  // 2 * (32*64*112*112) outputs * (3*7*7) products each.
  EXPECT_EQ(2.0 * 32 * 64 * 112 * 112 * 3 * 7 * 7, flops(first).value());
}

TEST(OpArguments, GroupsDilationAndThreeAxes) {
  EXPECT_EQ(OpShape(conv(8, 32, 32, {1, 10, 10}, {1, 3, 3}, {1, 6, 6}, 32)),
            shape("aten::conv2d", "[[8, 32, 10, 10], [32, 1, 3, 3], [], [], [], [], []]",
                  R"(["", "", "", "[1, 1]", "[0, 0]", "[2, 2]", "32"])"));
  EXPECT_EQ(OpShape(conv(2, 4, 8, {16, 12, 10}, {3, 3, 3}, {16, 12, 10})),
            shape("aten::conv3d", "[[2, 4, 16, 12, 10], [8, 4, 3, 3, 3], [], [], [], [], []]",
                  R"(["", "", "", "[1, 1, 1]", "[1, 1, 1]", "[1, 1, 1]", "1"])"));
  // A single number stands for all axes.
  EXPECT_EQ(OpShape(conv(1, 1, 1, {1, 9, 9}, {1, 3, 3}, {1, 4, 4})),
            shape("aten::conv2d", "[[1, 1, 9, 9], [1, 1, 3, 3], [], [], [], [], []]",
                  R"(["", "", "", "[2]", "[0]", "[1]", "1"])"));
}

TEST(OpArguments, GradientsTakeTheirOutputFromTheGradient) {
  const std::string dims =
      "[[32, 64, 112, 112], [32, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], [], []]";
  EXPECT_EQ(OpShape(conv(32, 3, 64, {1, 224, 224}, {1, 7, 7}, {1, 112, 112}, 1,
                         ConvPass::kWeightGradient)),
            shape("aten::convolution_backward", dims, "[]", ConvPass::kWeightGradient));
}

TEST(OpArguments, ConvolutionsThatCannotBeAreUnknown) {
  const std::string concrete = R"(["", "", "", "[1, 1]", "[0, 0]", "[1, 1]", "1"])";
  for (const char* dims :
       {"[[8, 32, 10, 10], [32, 0, 3, 3]]", "[[8, 32, 10, 10], [32, 5, 3, 3]]",
        "[[8, 32, 2, 2], [32, 32, 3, 3]]", "[[8, 32, 10, 10], [32, 32, 3]]", "[[8, 32, 10, 10]]",
        "[[8, 0, 10, 10], [32, 32, 3, 3]]", "[[0, 32, 10, 10], [0, 32, 3, 3]]", "[[], []]"}) {
    const OpShape found = shape("aten::conv2d", dims, concrete);
    EXPECT_FALSE(is_known(found)) << dims << " " << render_shape(found);
  }
  for (const char* stride : {"[0, 0]", "[1, 1, 1, 1]", "", "[]"}) {
    const std::string with = std::string(R"(["", "", "", ")") + stride + R"(", "[0]", "[1]", "1"])";
    EXPECT_FALSE(is_known(shape("aten::conv2d", "[[8, 4, 9, 9], [4, 4, 3, 3]]", with))) << stride;
  }
  // Extents far beyond any tensor must not overflow.
  const std::string huge =
      R"(["", "", "", "[1, 1]", "[9223372036854775807, 9]", "[4611686018427387904, 1]", "1"])";
  EXPECT_FALSE(is_known(shape("aten::conv2d", "[[8, 4, 9, 9], [4, 4, 3, 3]]", huge)));
}

TEST(OpArguments, Attention) {
  const AttentionShape expected{2, 12, 4, 128, 256, 64, true, false};
  EXPECT_EQ(OpShape(expected),
            shape("aten::_scaled_dot_product_flash_attention",
                  "[[2, 12, 128, 64], [2, 4, 256, 64], [2, 4, 256, 64], [], [], [], []]",
                  R"(["", "", "", "0.", "True", "False", ""])"));
  AttentionShape inner = expected;
  inner.causal = false;
  EXPECT_EQ(OpShape(inner), shape("aten::_flash_attention_forward",
                                  "[[2, 128, 12, 64], [2, 256, 4, 64], [2, 256, 4, 64], [], []]",
                                  R"(["", "", "", "", "", "128", "256", "0.", "False", "False"])"));
  AttentionShape backward = inner;
  backward.backward = true;
  EXPECT_EQ(OpShape(backward),
            shape("aten::_scaled_dot_product_flash_attention_backward",
                  "[[2, 12, 128, 64], [2, 12, 128, 64], [2, 4, 256, 64], [2, 4, 256, 64]]", "[]"));
  EXPECT_FALSE(is_known(shape("aten::_scaled_dot_product_flash_attention", "[[2, 12, 128]]")));
}

TEST(OpArguments, EmptyTensorsNeverGiveNumbersThatAreNone) {
  const std::string empty = "[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [], [], [], []]";
  for (const char* op : {"aten::_scaled_dot_product_flash_attention", "aten::conv2d",
                         "aten::convolution_backward", "aten::mm", "aten::bmm", "aten::linear"}) {
    const OpShape found = shape(op, empty, R"(["", "", "", "0.", "True", "True", ""])");
    EXPECT_TRUE(std::isfinite(flops(found).value())) << op;
    EXPECT_TRUE(std::isfinite(least_bytes(found, 4).value())) << op;
  }
}

TEST(OpArguments, MemoryBoundWorkCountsItsElements) {
  const auto tensors = [](KernelClass kernel_class, const char* op, const char* dims) {
    return tensor_shape(kernel_class, op, parse_op_arguments(dims, "", ""));
  };
  EXPECT_EQ(OpShape(TensorShape{24, 12}),
            tensors(KernelClass::kElementwise, "aten::add", "[[3, 4], [3, 4], []]"));
  EXPECT_EQ(OpShape(TensorShape{16, 12}),
            tensors(KernelClass::kElementwise, "aten::mul", "[[3, 4], [4]]"));
  EXPECT_EQ(OpShape(TensorShape{0, 12}),
            tensors(KernelClass::kElementwise, "aten::fill_", "[[3, 4], []]"));
  EXPECT_EQ(OpShape(TensorShape{5, 12}),
            tensors(KernelClass::kElementwise, "aten::copy_", "[[3, 4], [5], []]"));
  EXPECT_EQ(OpShape(TensorShape{12, 0}),
            tensors(KernelClass::kReduce, "aten::sum", "[[3, 4], []]"));
  EXPECT_FALSE(is_known(tensors(KernelClass::kElementwise, "aten::add", "[[], []]")));
  EXPECT_FALSE(is_known(tensors(KernelClass::kSort, "aten::sort", "[[3, 4]]")));
}

// aten::cat reads each tensor of its list and writes them all: 2*3 + 4*3 elements.
TEST(OpArguments, AListOfTensorsCountsTheSumOfItsTensors) {
  const auto arguments =
      parse_op_arguments("[[[2, 3], [4, 3]], []]", R"(["TensorList", "Scalar"])", R"(["", "0"])");
  ASSERT_EQ(2u, arguments.dims.size());
  EXPECT_EQ(OpShape(TensorShape{18, 18}),
            tensor_shape(KernelClass::kLayout, "aten::cat", arguments));
  const auto mixed = parse_op_arguments("[[[8], [8], [8]], [[1, 2]], [5]]", "", "");
  EXPECT_EQ(OpShape(TensorShape{31, 24}), tensor_shape(KernelClass::kLayout, "my::op", mixed));
  EXPECT_FALSE(is_known(shape("aten::mm", "[[[2, 3]], [[3, 4]]]"))) << "no matrix is a list";
}

TEST(OpArguments, TypesGiveSizeAndArithmetic) {
  const auto arguments =
      parse_op_arguments("[[4], [5], []]", R"(["long int", "c10::Half", ""])", "");
  EXPECT_EQ(8, element_bytes(arguments));
  EXPECT_EQ("c10::Half", arithmetic_type(arguments));
  EXPECT_EQ(0, element_bytes(parse_op_arguments("[[]]", R"(["Scalar"])", "")));
  EXPECT_EQ("", arithmetic_type(parse_op_arguments("[[2]]", R"(["bool"])", "")));
}

double bytes_per_element(std::string_view op, const std::string& dims, const std::string& types) {
  const OpArguments arguments = parse_op_arguments(dims, types, "");
  const OpShape shape = tensor_shape(KernelClass::kElementwise, op, arguments);
  const auto* tensor = std::get_if<TensorShape>(&shape);
  return tensor == nullptr ? 0 : tensor_element_bytes(op, arguments, *tensor);
}

TEST(TensorElementBytes, OperandsOfDifferentTypesCountEachWithItsOwn) {
  EXPECT_DOUBLE_EQ(3,
                   bytes_per_element("aten::copy_", "[[8], [8]]", R"(["float", "c10::BFloat16"])"));
  EXPECT_DOUBLE_EQ(3,
                   bytes_per_element("aten::copy_", "[[8], [8]]", R"(["c10::BFloat16", "float"])"));
  // Two inputs and the wider one written.
  EXPECT_DOUBLE_EQ((4 + 2 + 4) / 3.0,
                   bytes_per_element("aten::add", "[[8], [8]]", R"(["float", "c10::BFloat16"])"));
  // A mask of one byte.
  EXPECT_DOUBLE_EQ((4 + 1 + 4) / 3.0,
                   bytes_per_element("aten::native_dropout_backward", "[[8], [8], []]",
                                     R"(["float", "bool", "Scalar"])"));
  EXPECT_DOUBLE_EQ((4 + 4 + 1) / 2.0, bytes_per_element("aten::native_dropout", "[[8], [], []]",
                                                        R"(["float", "Scalar", "Scalar"])"));
  EXPECT_DOUBLE_EQ(2, bytes_per_element("aten::fill_", "[[8], []]", R"(["c10::Half", "Scalar"])"));
  EXPECT_DOUBLE_EQ(4, bytes_per_element("aten::add", "[[8], [8]]", R"(["float", "TensorX"])"));
}

}  // namespace
}  // namespace uplift::read
