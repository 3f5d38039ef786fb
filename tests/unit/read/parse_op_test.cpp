// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/parse_op.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <gmock/gmock.h>

namespace uplift::read {
namespace {

using testing::HasSubstr;

/// The op of a row that is right.
Op parse(std::string_view kind, std::string_view math, std::string_view shape) {
  Op op;
  std::string note;
  EXPECT_TRUE(parse_op({kind, math, shape, {}, {}}, op, note)) << note;
  return op;
}

/// The note of a row that is not.
std::string refusal(std::string_view kind, std::string_view math, std::string_view shape) {
  Op op;
  std::string note;
  EXPECT_FALSE(parse_op({kind, math, shape, {}, {}}, op, note)) << kind << " " << shape;
  return note;
}

TEST(ParseOp, WhatIsRenderedIsReadBack) {
  // One of every kind; render_shape leaves out what is at its default.
  const std::pair<std::string_view, std::string_view> kRows[] = {
      {"gemm", "b=2;m=3;n=4;k=5;trans=nt"},
      {"gemm", "b=1;m=3;n=4;k=5"},
      {"attention", "b=1;q_heads=32;kv_heads=8;q_len=1;kv_len=4096;d=128;causal=1;pass=bwd"},
      {"softmax", "rows=128;cols=1024"},
      {"layernorm", "rows=128;cols=1024;pass=bwd"},
      {"elementwise", "n=1000;inputs=2;outputs=1;op=gelu"},
      {"reduce", "rows=7;cols=9"},
      {"embedding", "rows=7;cols=9"},
      {"fft", "batch=1;n=256x128x64"},
      {"fft", "batch=16;n=4096"},
      {"spmv", "rows=10;nnz=100"},
      {"stencil", "points=1000;radius=4"},
      {"memcpy", "bytes=1048576;dir=h2d"},
      {"allreduce", "bytes=1048576;ranks=8;nodes=1"},
      {"allgather", "bytes=1048576;ranks=16;nodes=2"},
      {"reducescatter", "bytes=1;ranks=2;nodes=1"},
      {"alltoall", "bytes=1;ranks=2;nodes=1"},
      {"sendrecv", "bytes=1;ranks=2;nodes=2"},
      {"kernel", "flops=1000;bytes=4000;grid=10;block=256;regs=32;smem=1024"}};
  for (const auto& [kind, shape] : kRows) {
    EXPECT_EQ(shape, render_shape(parse(kind, "fp16", shape).shape)) << kind;
  }
}

TEST(ParseOp, ConvolutionsHaveTheOutputOfTheirForwardPass) {
  // ResNet's first layer: (224 + 2 x 3 - 7) / 2 + 1 = 112.
  const Op op =
      parse("conv2d", "fp16", "n=64;c=3;h=224;w=224;k=64;r=7;s=7;stride=2;pad=3;pass=wgrad");
  const auto& conv = std::get<ConvShape>(op.shape);
  EXPECT_EQ((std::array<std::int64_t, 3>{1, 112, 112}), conv.out);
  EXPECT_EQ(ConvPass::kWeightGradient, conv.pass);
  // Dilated: 28 - 2 x (3 - 1) = 24 rows, and 28 + 2 - 2 = 28 columns.
  const auto dilated = std::get<ConvShape>(
      parse("conv2d", "fp32",
            "n=1;c=8;h=28;w=28;k=8;r=3;s=3;stride=1;pad=0x1;dilation=2x1;groups=8")
          .shape);
  EXPECT_EQ((std::array<std::int64_t, 3>{1, 24, 28}), dilated.out);
  const auto deep = std::get<ConvShape>(
      parse("conv3d", "fp16", "n=1;c=8;d=16;h=28;w=28;k=8;t=3;r=3;s=3;stride=2x1x1;pad=1").shape);
  EXPECT_EQ((std::array<std::int64_t, 3>{8, 28, 28}), deep.out);
}

TEST(ParseOp, DefaultsAndLenience) {
  const auto attention = std::get<AttentionShape>(
      parse("Attention", " BF16 ", " q_heads = 32 ; q_len=128 ;; D=64;causal ").shape);
  EXPECT_EQ(32, attention.kv_heads);
  EXPECT_EQ(128, attention.kv_len);
  EXPECT_TRUE(attention.causal);
  EXPECT_EQ(1, std::get<GemmShape>(parse("gemm", "fp16", "k=3;n=2;m=1").shape).b);
  EXPECT_EQ(1, std::get<StencilShape>(parse("stencil", "fp32", "points=5").shape).radius);
  EXPECT_EQ(6, std::get<KernelShape>(parse("kernel", "", "grid=1x2x3").shape).grid);
  EXPECT_EQ(Math::kFp32, parse("memcpy", "", "bytes=1;dir=d2d").math);
}

TEST(ParseOp, StorageFollowsMathUnlessSaidOtherwise) {
  EXPECT_EQ(4.0, parse("gemm", "tf32", "m=1;n=1;k=1").element_bytes);
  EXPECT_EQ(0.5, parse("gemm", "int4", "m=1;n=1;k=1").out_element_bytes);
  Op op;
  std::string note;
  EXPECT_TRUE(parse_op({"gemm", "fp8", "m=1;n=1;k=1;out_dtype=bf16", "int8", "fp32"}, op, note));
  EXPECT_EQ(1.0, op.element_bytes);
  EXPECT_EQ(2.0, op.out_element_bytes);  // of the shape, not of the column
  EXPECT_FALSE(parse_op({"gemm", "fp8", "m=1;n=1;k=1", "half", ""}, op, note));
  EXPECT_THAT(note, HasSubstr("there is no dtype 'half'"));
}

TEST(ParseOp, AnUnknownElementwiseOpIsTakenAsOther) {
  Op op;
  std::string note;
  EXPECT_TRUE(
      parse_op({"elementwise", "fp16", "n=5;inputs=1;outputs=1;op=silu", {}, {}}, op, note));
  EXPECT_EQ("op 'silu' is taken as other", note);
}

TEST(ParseOp, NumbersAreStrict) {
  EXPECT_EQ("m is 0", refusal("gemm", "fp16", "m=0;n=1;k=1"));
  EXPECT_EQ("m is negative: '-4'", refusal("gemm", "fp16", "m=-4;n=1;k=1"));
  EXPECT_EQ("m is empty", refusal("gemm", "fp16", "m=;n=1;k=1"));
  EXPECT_EQ("m is empty", refusal("gemm", "fp16", "m;n=1;k=1"));
  for (const std::string_view bad : {"4.0", "1e3", "nan", "4096x", "+1", "0x10", "1 2"}) {
    EXPECT_THAT(refusal("gemm", "fp16", "m=" + std::string(bad) + ";n=1;k=1"),
                HasSubstr("m is not a whole number"))
        << bad;
  }
  for (const std::string_view large :
       {"1099511627777", "9223372036854775808", "99999999999999999999999999"}) {
    EXPECT_THAT(refusal("gemm", "fp16", "m=" + std::string(large) + ";n=1;k=1"),
                HasSubstr("the most is 1099511627776"));
  }
  EXPECT_THAT(refusal("kernel", "fp32", "flops=nan"), HasSubstr("flops is not a number"));
  EXPECT_THAT(refusal("kernel", "fp32", "flops=inf"), HasSubstr("flops is not a number"));
  EXPECT_THAT(refusal("kernel", "fp32", "bytes=-1"), HasSubstr("bytes is negative"));
  EXPECT_THAT(refusal("kernel", "fp32", "bytes=1e999"), HasSubstr("bytes is beyond all numbers"));
}

TEST(ParseOp, WhatIsWrongIsSaid) {
  EXPECT_THAT(refusal("matmul", "fp16", "m=1"),
              HasSubstr("there is no kind 'matmul'; kinds are gemm,"));
  EXPECT_EQ("kind is empty", refusal("", "fp16", "m=1"));
  EXPECT_THAT(refusal("gemm", "half", "m=1"), HasSubstr("there is no math 'half'; math is one of"));
  EXPECT_THAT(refusal("gemm", "", "m=1"), HasSubstr("math is empty"));
  EXPECT_EQ("the shape is empty", refusal("gemm", "fp16", ""));
  EXPECT_EQ("the shape of gemm lacks k", refusal("gemm", "fp16", "m=1;n=1"));
  EXPECT_THAT(refusal("gemm", "fp16", "m=1;n=1;k=1;q=2"),
              HasSubstr("gemm has no shape key 'q'; its keys are b, m, n, k"));
  EXPECT_EQ("the shape has 'm' twice", refusal("gemm", "fp16", "m=1;n=1;k=1;m=2"));
  EXPECT_THAT(refusal("softmax", "fp16", "rows=1;cols=1;pass=dgrad"),
              HasSubstr("pass is 'dgrad'; it is one of fwd, bwd"));
  EXPECT_EQ("the filter is larger than the padded input",
            refusal("conv2d", "fp16", "n=1;c=1;h=4;w=4;k=1;r=7;s=7;stride=1;pad=1"));
  EXPECT_EQ("groups=3 does not divide c=4 and k=6",
            refusal("conv2d", "fp16", "n=1;c=4;h=4;w=4;k=6;r=1;s=1;groups=3"));
  EXPECT_EQ("q_heads=3 is not a multiple of kv_heads=2",
            refusal("attention", "fp16", "q_heads=3;kv_heads=2;q_len=1;d=64"));
  EXPECT_EQ("ranks is 1: nothing is sent", refusal("allreduce", "", "bytes=8;ranks=1"));
  EXPECT_EQ("ranks=8 is not a multiple of nodes=3",
            refusal("allreduce", "", "bytes=8;ranks=8;nodes=3"));
  EXPECT_THAT(refusal("memcpy", "", "bytes=8"), HasSubstr("lacks dir"));
  EXPECT_THAT(refusal("memcpy", "", "bytes=8;dir=up"), HasSubstr("h2d, d2h, d2d"));
  EXPECT_THAT(refusal("fft", "fp32", "n=2x2x2x2"), HasSubstr("n has more than 3 axes"));
  EXPECT_THAT(refusal("kernel", "fp32", "grid=1;block=2048"), HasSubstr("block is 2048"));
}

TEST(ParseOp, ExtremeShapesNeitherOverflowNorCrash) {
  const std::string most = "1099511627776";
  const Op conv = parse("conv2d", "fp16",
                        "n=" + most + ";c=" + most + ";h=" + most + ";w=" + most + ";k=" + most +
                            ";r=" + most + ";s=" + most + ";stride=" + most + ";pad=" + most);
  EXPECT_TRUE(std::isfinite(flops(conv.shape).value()));
  EXPECT_THAT(refusal("conv2d", "fp16", "n=1;c=1;h=1;w=1;k=1;r=" + most + ";s=1;dilation=" + most),
              HasSubstr("larger than the padded input"));
}

TEST(ParseOp, ANoteQuotesWhatItIsGivenPrintablyAndShort) {
  const std::string note = refusal("gemm", "fp16\x1b[31m" + std::string(1000, 'x'), "m=1;n=1;k=1");
  EXPECT_THAT(note, HasSubstr("\\x1b[31m"));
  EXPECT_LT(note.size(), 200U);
}

}  // namespace
}  // namespace uplift::read
