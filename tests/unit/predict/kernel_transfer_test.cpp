// SPDX-License-Identifier: Apache-2.0
// Single kernels and copies from card to card: what carries over, what changes, what bounds them.
#include "uplift/predict/kernel_transfer.hpp"

#include "uplift/catalog/catalog.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

const model::Parameters& parameters() {
  static const model::Parameters kParameters = model::load_parameters().value();
  return kParameters;
}

model::GpuModel card(std::string_view id) {
  static const catalog::Catalog kCatalog = catalog::Catalog::load().value();
  return model::build_gpu_model(*kCatalog.find(id), model::Basis::kPublished, parameters()).value();
}

DistinctKernel stream_kernel(std::int64_t elements, double seconds) {
  DistinctKernel kernel;
  kernel.name = "vectorized_elementwise_kernel";
  kernel.kernel_class = KernelClass::kElementwise;
  kernel.math = Math::kFp32;
  kernel.element_bytes = 4;
  kernel.shape = TensorShape{elements, elements};
  kernel.launch.grid = {elements / 512, 1, 1};
  kernel.launch.block = {128, 1, 1};
  kernel.launches = 1;
  kernel.total = Seconds(seconds);
  return kernel;
}

DistinctKernel convolution(double seconds) {
  DistinctKernel kernel;
  kernel.name = "volta_scudnn_128x64_relu_interior_nn_v1";
  kernel.kernel_class = KernelClass::kConv;
  kernel.math = Math::kFp32;
  kernel.launch.grid = {4000, 1, 1};
  kernel.launch.block = {128, 1, 1};
  kernel.launches = 1;
  kernel.total = Seconds(seconds);
  return kernel;
}

TEST(KernelTransfer, AStreamFollowsTheBandwidth) {
  // 2 x 512 MiB of traffic: far beyond either L2.
  const auto transfer = transfer_kernel(stream_kernel(1 << 27, 1.4e-3), card("v100-sxm2-32gb"),
                                        card("a100-sxm4-40gb"), {}, parameters());
  EXPECT_EQ(Bound::kMemory, transfer.source_bound);
  EXPECT_EQ(Bound::kMemory, transfer.target_bound);
  EXPECT_NEAR(1.4e-3 * 814.0 / 1375.0, transfer.target.value(), 0.02e-3);
}

TEST(KernelTransfer, TrafficThatFitsTheLargerL2GainsMoreThanBandwidth) {
  // 25.7 MB through a 6 MiB and a 40 MiB L2; 33 us and 9 us in public traces of these cards.
  // Written where it was read, so half as many bytes are different ones.
  DistinctKernel kernel = stream_kernel(3211264, 33e-6);
  kernel.op = "aten::clamp_min_";
  const auto transfer =
      transfer_kernel(kernel, card("v100-sxm2-32gb"), card("a100-sxm4-40gb"), {}, parameters());
  EXPECT_EQ(Bound::kCache, transfer.target_bound);
  EXPECT_LT(transfer.target.value(), 33e-6 * 814.0 / 1375.0 * 0.8);
}

TEST(KernelTransfer, ATinyKernelFollowsTheClock) {
  const auto transfer = transfer_kernel(stream_kernel(512, 1.9e-6), card("v100-sxm2-32gb"),
                                        card("a100-sxm4-40gb"), {}, parameters());
  EXPECT_EQ(Bound::kLaunch, transfer.target_bound);
  EXPECT_NEAR(1.9e-6 * 1530.0 / 1410.0, transfer.target.value(), 0.1e-6);
}

TEST(KernelTransfer, PyTorchTurnsTf32OnForConvolutionsOfNewerCards) {
  const auto v100 = card("v100-sxm2-32gb");
  const auto a100 = card("a100-sxm4-40gb");
  EXPECT_TRUE(framework_defaults("PyTorch", v100, a100).tf32_convolutions);
  EXPECT_FALSE(framework_defaults("PyTorch", a100, card("h100-sxm5-80gb")).tf32_convolutions);
  EXPECT_FALSE(framework_defaults("", v100, a100).tf32_convolutions);
  const auto as_is = transfer_kernel(convolution(1e-3), v100, a100, {true}, parameters());
  EXPECT_EQ(Math::kTf32, as_is.target_math);
  EXPECT_TRUE(as_is.math_changed);
  const auto fp32 = transfer_kernel(convolution(1e-3), v100, a100, {false}, parameters());
  EXPECT_EQ(Math::kFp32, fp32.target_math);
  EXPECT_LT(as_is.target.value(), fp32.target.value());
}

TEST(KernelTransfer, WhatAnAlgorithmSavedIsNotCarriedToAnotherFormat) {
  // 237 GFLOP in 15 and in 10 ms: more than the card's 14 TFLOP/s, as Winograd gives. In TF32 both
  // are the same implicit product.
  ConvShape shape;
  shape.n = 64;
  shape.c = shape.k = 256;
  shape.spatial = shape.out = {1, 56, 56};
  shape.filter = {1, 3, 3};
  DistinctKernel slow = convolution(15e-3);
  slow.shape = shape;
  DistinctKernel fast = slow;
  fast.total = Seconds(10e-3);
  const auto v100 = card("v100-sxm2-32gb");
  const auto a100 = card("a100-sxm4-40gb");
  const FrameworkDefaults tf32{true};
  EXPECT_DOUBLE_EQ(transfer_kernel(slow, v100, a100, tf32, parameters()).target.value(),
                   transfer_kernel(fast, v100, a100, tf32, parameters()).target.value());
}

TEST(KernelTransfer, ACollectiveFollowsTheLink) {
  DistinctKernel kernel;
  kernel.name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
  kernel.kernel_class = KernelClass::kCollective;
  kernel.launches = 1;
  kernel.total = Seconds(1.02e-3);
  const auto transfer =
      transfer_kernel(kernel, card("v100-sxm2-32gb"), card("a100-sxm4-40gb"), {}, parameters());
  // 20 us of latency kept, 1 ms over twice the NVLink rate.
  EXPECT_EQ(Bound::kComm, transfer.target_bound);
  EXPECT_NEAR(0.52e-3, transfer.target.value(), 1e-9);
}

TEST(KernelTransfer, PageableCopiesDoNotGainFromTheLink) {
  DistinctCopy copy{CopyKind::kHostToDevice, true, 1, Bytes(77e6), Seconds(11e-3)};
  const auto v100 = card("v100-sxm2-32gb");
  const auto h100 = card("h100-sxm5-80gb");
  EXPECT_NEAR(
      11e-3,
      transfer_copy(copy, Bytes(77e6), Seconds(11e-3), v100, h100, parameters()).target.value(),
      1e-9);
  copy.pageable = false;
  EXPECT_NEAR(
      11e-3 / 4,
      transfer_copy(copy, Bytes(77e6), Seconds(11e-3), v100, h100, parameters()).target.value(),
      0.01e-3);
}

TEST(KernelTransfer, TheSameCardGivesTheSameTimeForCertain) {
  const auto v100 = card("v100-sxm2-32gb");
  const auto transfer = transfer_kernel(convolution(1e-3), v100, v100, {}, parameters());
  EXPECT_NEAR(1e-3, transfer.target.value(), 1e-12);
  EXPECT_EQ(0.0, transfer.log_half_width);
}

TEST(KernelTransfer, KernelsOfUnknownShapeHaveWiderIntervals) {
  DistinctKernel known = convolution(1e-3);
  ConvShape shape;
  shape.n = 32;
  shape.c = shape.k = 64;
  shape.spatial = shape.out = {1, 56, 56};
  known.shape = shape;
  const auto v100 = card("v100-sxm2-32gb");
  const auto a100 = card("a100-sxm4-40gb");
  EXPECT_LT(transfer_kernel(known, v100, a100, {}, parameters()).log_half_width,
            transfer_kernel(convolution(1e-3), v100, a100, {}, parameters()).log_half_width);
}

}  // namespace
}  // namespace uplift::predict
