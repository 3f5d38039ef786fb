// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/kernel_use.hpp"

#include "uplift/catalog/catalog.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

class KernelUseTest : public testing::Test {
 protected:
  KernelUseTest() {
    kernel_.launches = 1;
    kernel_.launch.grid = {100'000, 1, 1};
    kernel_.launch.block = {256, 1, 1};
  }

  std::optional<KernelUse> use() const { return describe_use(kernel_, card_, parameters_); }

  DistinctKernel kernel_;
  model::Parameters parameters_ = model::load_parameters().value();
  catalog::Catalog catalog_ = catalog::Catalog::load().value();
  model::GpuModel card_ = model::build_gpu_model(*catalog_.find("a100-sxm4-80gb"),
                                                 model::Basis::kPublished, parameters_)
                              .value();
};

TEST_F(KernelUseTest, AStreamFromItsShape) {
  // 4 GB in 2.5 ms are 1.6 TB/s; the A100's 40 MiB of L2 serve next to nothing of it.
  kernel_.kernel_class = KernelClass::kElementwise;
  kernel_.shape = TensorShape{500'000'000, 500'000'000};
  kernel_.element_bytes = 4;
  kernel_.total = Seconds(2.5e-3);
  const auto use = this->use();
  ASSERT_TRUE(use);
  EXPECT_TRUE(use->shape_known);
  EXPECT_NEAR(4e9, (use->dram + use->l2).value(), 1);
  EXPECT_LT(use->l2.value(), 0.01 * 4e9);
  EXPECT_NEAR(1.6e12, use->byte_rate->value(), 1);
  EXPECT_NEAR(1.6e12 / card_.memory.stream.value(), *use->sustained_share, 0.01);
  EXPECT_EQ(Bound::kMemory, use->bound);
  EXPECT_FALSE(use->flop_rate);
}

TEST_F(KernelUseTest, AProductFromItsShape) {
  // 2 x 4096^3 FLOP in 1 ms are 137 TFLOP/s.
  kernel_.kernel_class = KernelClass::kGemm;
  kernel_.math = Math::kBf16;
  kernel_.shape = GemmShape{1, 4096, 4096, 4096};
  kernel_.total = Seconds(1e-3);
  const auto use = this->use();
  ASSERT_TRUE(use && use->flop_rate);
  EXPECT_NEAR(137.4e12, use->flop_rate->value(), 0.1e12);
  EXPECT_EQ(Bound::kCompute, use->bound);
}

TEST_F(KernelUseTest, FromTheTimeAloneThereIsTrafficButNoRate) {
  kernel_.kernel_class = KernelClass::kElementwise;
  kernel_.total = Seconds(2.5e-3);
  const auto use = this->use();
  ASSERT_TRUE(use);
  EXPECT_FALSE(use->shape_known);
  EXPECT_GT(use->dram.value(), 1e9);
  EXPECT_EQ(parameters_.published.unknown_shape, use->log_half_width);
  EXPECT_FALSE(use->byte_rate);
  EXPECT_FALSE(use->sustained_share);
}

TEST_F(KernelUseTest, ACollectiveIsBoundByCommunication) {
  kernel_.kernel_class = KernelClass::kCollective;
  kernel_.total = Seconds(1e-3);
  EXPECT_FALSE(use());
  EXPECT_EQ(Bound::kComm, bound_of(kernel_, card_, parameters_));
}

TEST_F(KernelUseTest, AKernelAtTheFloorIsLaunchBound) {
  kernel_.kernel_class = KernelClass::kElementwise;
  kernel_.total = Seconds(1e-6);
  EXPECT_EQ(Bound::kLaunch, bound_of(kernel_, card_, parameters_));
}

}  // namespace
}  // namespace uplift::predict
