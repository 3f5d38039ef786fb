// SPDX-License-Identifier: Apache-2.0
// The self-check over every board: no peak is off without a reason, and no reason outlives its
// case.
#include "uplift/catalog/check_peaks.hpp"

#include "uplift/catalog/catalog.hpp"

#include <gtest/gtest.h>

namespace uplift::catalog {
namespace {

TEST(CheckPeaks, EveryPeakIsSmsTimesRateTimesClock) {
  const auto catalog = Catalog::load();
  ASSERT_TRUE(catalog) << catalog.error().line();
  std::size_t checked = 0;
  for (const Gpu& gpu : catalog->all()) {
    for (const PeakCheck& check : check_peaks(gpu, *catalog->formats(gpu.compute_capability))) {
      ++checked;
      if (check.exception_reason.empty()) {
        EXPECT_TRUE(check.agrees) << gpu.id << " " << check.path << ": stated " << check.stated
                                  << ", computed " << check.computed;
      } else {
        EXPECT_FALSE(check.agrees)
            << gpu.id << " " << check.path << " is named as an exception but agrees";
      }
    }
  }
  EXPECT_GE(checked, 190u);  // 195 in the tables the catalog started from
}

TEST(CheckPeaks, EveryExceptionIsChecked) {
  const auto catalog = Catalog::load();
  ASSERT_TRUE(catalog);
  for (const Gpu& gpu : catalog->all()) {
    const auto checks = check_peaks(gpu, *catalog->formats(gpu.compute_capability));
    for (const PeakException& exception : gpu.peak_exceptions) {
      bool found = false;
      for (const PeakCheck& check : checks) found = found || check.path == exception.path;
      EXPECT_TRUE(found) << gpu.id << " " << exception.path;
      EXPECT_FALSE(exception.reason.empty());
    }
  }
}

TEST(CheckPeaks, V100WorkedByHand) {
  // 80 SMs × 1024 FLOP/clock × 1.53 GHz = 125.3 TFLOP/s against 125 on the data sheet.
  const auto catalog = Catalog::load();
  ASSERT_TRUE(catalog);
  const Gpu& v100 = *catalog->find("v100-sxm2-16gb");
  for (const PeakCheck& check : check_peaks(v100, *catalog->formats({7, 0}))) {
    if (check.path == "peak.dense.fp16") {
      EXPECT_NEAR(check.computed, 125.3376e12, 1e8);
    }
  }
}

TEST(CheckPeaks, ASlipIsSeen) {
  const auto catalog = Catalog::load();
  ASSERT_TRUE(catalog);
  Gpu gpu = *catalog->find("t4");
  gpu.dense_peak[index(Math::kFp32)]->value *= 1.1;
  int wrong = 0;
  for (const PeakCheck& check : check_peaks(gpu, *catalog->formats({7, 5}))) {
    if (!check.agrees) ++wrong;
  }
  EXPECT_EQ(wrong, 1);
}

}  // namespace
}  // namespace uplift::catalog
