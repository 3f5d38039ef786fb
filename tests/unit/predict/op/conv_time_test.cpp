// SPDX-License-Identifier: Apache-2.0
// Convolutions counted by hand, laws that hold on every card, and shapes nobody runs.
#include "uplift/predict/op/conv_time.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

OpCard card_of(double sms) {
  OpCard card;
  card.generation = {8, 0};
  card.sms = sms;
  card.rate = 100e9 * sms;
  card.cuda_core_rate = 100e9 * sms;
  card.stream = 1e12;
  card.floor = 2e-6;
  return card;
}

ConvShape square(std::int64_t n, std::int64_t c, std::int64_t k, std::int64_t side,
                 std::int64_t filter) {
  ConvShape shape;
  shape.n = n;
  shape.c = c;
  shape.k = k;
  shape.spatial = shape.out = {1, side, side};
  shape.filter = {1, filter, filter};
  return shape;
}

Op op_of(const ConvShape& shape, Math math) {
  Op op;
  op.kind = OpKind::kConv2d;
  op.math = math;
  op.element_bytes = op.out_element_bytes = storage_bytes(math);
  op.shape = shape;
  return op;
}

std::vector<ConvShape> varied_shapes() {
  std::vector<ConvShape> shapes = {square(1, 3, 64, 224, 7), square(32, 64, 64, 56, 3),
                                   square(7, 513, 31, 9, 3), square(8, 2048, 512, 7, 1)};
  ConvShape depthwise = square(16, 256, 256, 28, 3);
  depthwise.groups = 256;
  shapes.push_back(depthwise);
  for (std::size_t i = shapes.size(); i-- > 0;) {
    for (const ConvPass pass : {ConvPass::kDataGradient, ConvPass::kWeightGradient}) {
      shapes.push_back(shapes[i]);
      shapes.back().pass = pass;
    }
  }
  return shapes;
}

double cuda_seconds(const ConvShape& shape, const OpCard& card) {
  return estimate_conv_cuda(op_of(shape, Math::kFp32), card, {}).seconds;
}

double tensor_seconds(const ConvShape& shape, const OpCard& card) {
  return estimate_conv_tensor(op_of(shape, Math::kFp16), card, {}).seconds;
}

TEST(ConvTime, OneByOneOnCudaCoresIsTheProductOfItsPositions) {
  // 100 x 128 positions by 64 channels: one tile of 128 x 64 for each of 100 multiprocessors, which
  // wait for their own loads as four tiles each would at `lone`.
  ConvShape shape = square(100, 256, 64, 1, 1);
  shape.spatial = shape.out = {1, 1, 128};
  ConvCudaConstants constants;
  constants.narrow = 1e-3;
  constants.lone = 0.5;
  const double tile = 2.0 * 128 * 64 * (256 + constants.start) / (constants.wide * 100e9);
  const double bytes = 4.0 * (12800.0 * (256 + 64) + 256 * 64);
  EXPECT_NEAR(2e-6 + 2 * tile + bytes / 1e12,
              estimate_conv_cuda(op_of(shape, Math::kFp32), card_of(100), constants).seconds, 1e-9);
}

TEST(ConvTime, WinogradNeedsFewerFlopsThanTheDirectSum) {
  const ConvShape shape = square(64, 512, 512, 56, 3);
  const double direct = 2.0 * 64 * 512 * 512 * 56 * 56 * 9 / card_of(80).rate;
  EXPECT_LT(cuda_seconds(shape, card_of(80)), 0.7 * direct);
  ConvShape strided = shape;
  strided.stride = {1, 2, 2};
  EXPECT_GT(cuda_seconds(strided, card_of(80)), direct);
  OpCard hopper = card_of(80);
  hopper.generation = {9, 0};
  EXPECT_GT(cuda_seconds(shape, hopper), direct);
  ConvShape weights = shape;
  weights.pass = ConvPass::kWeightGradient;
  EXPECT_LT(cuda_seconds(weights, hopper), 0.7 * direct);
}

TEST(ConvTime, AFewChannelsCostAWholeRunOnTensorCores) {
  const OpCard card = card_of(100);
  const double eight = tensor_seconds(square(64, 8, 256, 56, 7), card);
  const double thirty_two = tensor_seconds(square(64, 32, 256, 56, 7), card);
  EXPECT_NEAR(1.0, thirty_two / eight, 0.02);
  // Channels that fill no 16 B load are copied first.
  EXPECT_GT(tensor_seconds(square(64, 7, 256, 56, 7), card), eight);
}

TEST(ConvTime, PassesOfOneConvolutionTakeAboutAsLong) {
  ConvShape shape = square(32, 256, 256, 28, 3);
  const OpCard card = card_of(100);
  const double forward = tensor_seconds(shape, card);
  shape.pass = ConvPass::kDataGradient;
  EXPECT_NEAR(1.0, tensor_seconds(shape, card) / forward, 0.01);
  shape.pass = ConvPass::kWeightGradient;
  EXPECT_NEAR(1.0, tensor_seconds(shape, card) / forward, 0.3);
}

TEST(ConvTime, DepthwiseIsBoundByItsBytes) {
  ConvShape shape = square(64, 512, 512, 56, 3);
  shape.groups = 512;
  OpCard card = card_of(100);
  card.cuda_core_rate = card.rate = 100e12;
  const double bytes = 2.0 * (2.0 * 64 * 512 * 56 * 56 + 512 * 9);
  const double seconds = tensor_seconds(shape, card);
  EXPECT_GT(seconds, bytes / card.stream);
  EXPECT_LT(seconds, 2 * bytes / card.stream);
}

TEST(ConvTime, DepthwiseTakesAThreadForEachOutput) {
  // Outputs of 180 + 9 x 15 instructions, 32 at a time, on 100 multiprocessors that issue 4 a
  // cycle.
  ConvShape shape = square(64, 512, 512, 56, 3);
  shape.groups = 512;
  OpCard card = card_of(100);
  card.stream = 1e15;
  const double seconds = 64.0 * 512 * 56 * 56 / 32 * (180 + 9 * 15) / (100 * 4 * 1e9);
  EXPECT_NEAR(1.0, cuda_seconds(shape, card) / seconds, 0.01);
  // Gradients of 9 x 8 weights are summed by 72 blocks, four on a multiprocessor.
  shape = square(64, 8, 8, 56, 3);
  shape.groups = 8;
  shape.pass = ConvPass::kWeightGradient;
  const double sums = 64.0 * 8 * 56 * 56 / 32 * 47 * 9 / (72.0 / 4 * 4 * 1e9);
  EXPECT_NEAR(1.0, cuda_seconds(shape, card) / sums, 0.01);
}

TEST(ConvTime, MoreOfACardIsNeverSlower) {
  for (const auto& seconds : {cuda_seconds, tensor_seconds}) {
    for (const ConvShape& shape : varied_shapes()) {
      double last = 1e300;
      for (int sms = 10; sms < 160; ++sms) {
        OpCard card = card_of(sms);
        const double time = seconds(shape, card);
        EXPECT_LE(time, last * (1 + 1e-9)) << render_shape(shape) << ' ' << sms;
        last = time;
        card.stream *= 1.3;
        EXPECT_LE(seconds(shape, card), time);
        card.rate *= 1.3;
        card.cuda_core_rate *= 1.3;
        EXPECT_LE(seconds(shape, card), time);
      }
    }
  }
}

TEST(ConvTime, EveryShapeHasATime) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  ConvShape least;
  ConvShape most = square(kMost, kMost, kMost, kMost, kMost);
  most.spatial[0] = most.out[0] = most.filter[0] = kMost;
  ConvShape odd = most;
  odd.groups = kMost;
  odd.out = {1, 1, 1};
  for (ConvShape shape : {least, most, odd}) {
    for (const ConvPass pass :
         {ConvPass::kForward, ConvPass::kDataGradient, ConvPass::kWeightGradient}) {
      shape.pass = pass;
      for (const double time :
           {cuda_seconds(shape, card_of(1)), tensor_seconds(shape, card_of(1))}) {
        EXPECT_TRUE(std::isfinite(time));
        EXPECT_GE(time, 2e-6);
      }
    }
  }
}

}  // namespace
}  // namespace uplift::predict
