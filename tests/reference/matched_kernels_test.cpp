// SPDX-License-Identifier: Apache-2.0
// The same script recorded on a V100 and on an A100: kernels with the same name, grid and block ran
// on both, so each prediction of the A100's time from the V100's has a measured answer.
#include "tests/reference/shared_data.hpp"
#include "uplift/catalog/catalog.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/kernel_transfer.hpp"
#include "uplift/read/load_workload.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>

namespace uplift {
namespace {

namespace fs = std::filesystem;

using Signature = std::tuple<std::string, std::array<std::int64_t, 3>, std::array<std::int64_t, 3>>;

/// Launches and time by signature, over all operators that use the kernel.
std::map<Signature, DistinctKernel> by_signature(const Workload& workload) {
  std::map<Signature, DistinctKernel> kernels;
  for (const DistinctKernel& kernel : workload.kernels) {
    auto [found, is_new] =
        kernels.try_emplace({kernel.name, kernel.launch.grid, kernel.launch.block}, kernel);
    if (is_new) continue;
    found->second.launches += kernel.launches;
    found->second.total += kernel.total;
  }
  return kernels;
}

Workload must_load(const fs::path& path) {
  auto workload = read::load_workload(path.string());
  EXPECT_TRUE(workload) << (workload ? "" : workload.error().line());
  return workload ? *workload : Workload{};
}

TEST(MatchedKernels, V100ToA100WithinTwentyPercentByTime) {
  const fs::path folder = shared_data("traces");
  if (folder.empty()) {
    GTEST_SKIP() << "no reference recordings; UPLIFT_SHARED names where they are";
  }
  const auto v100 = by_signature(
      must_load(folder / "hta_ns_resolution_trace__rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"));
  const auto a100 = by_signature(must_load(folder / "hta_nccl_parser_config__nccl_data.json.gz"));
  const auto catalog = catalog::Catalog::load();
  const auto parameters = model::load_parameters();
  ASSERT_TRUE(catalog && parameters);
  const auto model_of = [&](const char* id) {
    return *model::build_gpu_model(*catalog->find(id), model::Basis::kPublished, *parameters);
  };
  const auto source = model_of("v100-sxm2-32gb");
  const auto target = model_of("a100-sxm4-40gb");

  int matched = 0;
  double weight = 0;
  double error = 0;
  double predicted_sum = 0;
  double measured_sum = 0;
  for (const auto& [signature, kernel] : v100) {
    const auto other = a100.find(signature);
    if (other == a100.end()) continue;
    ++matched;
    // Recorded, not as PyTorch would choose: the A100 ran the very same kernel.
    const auto transfer = predict::transfer_kernel(kernel, source, target, {}, *parameters);
    const double measured = other->second.mean().value();
    const double share = kernel.total.value();
    weight += share;
    error += share * std::abs(transfer.target.value() / measured - 1.0);
    predicted_sum += transfer.target.value() * static_cast<double>(kernel.launches);
    measured_sum += measured * static_cast<double>(kernel.launches);
  }
  EXPECT_EQ(86, matched);
  ASSERT_GT(weight, 0);
  std::printf("%d matched kernels: time-weighted error %.1f %%, sum %+.1f %%\n", matched,
              100 * error / weight, 100 * (predicted_sum / measured_sum - 1));
  EXPECT_LE(error / weight, 0.20);
}

}  // namespace
}  // namespace uplift
