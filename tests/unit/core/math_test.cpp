// SPDX-License-Identifier: Apache-2.0
#include "uplift/core/math.hpp"

#include <gtest/gtest.h>

namespace uplift {
namespace {

TEST(Math, WordsReadBackAsThemselves) {
  for (const Math math : kMaths) EXPECT_EQ(parse_math(word(math)), math) << word(math);
}

TEST(Math, TheListIsInTheOrderOfTheEnum) {
  for (std::size_t i = 0; i < kMaths.size(); ++i) EXPECT_EQ(index(kMaths[i]), i);
}

TEST(Math, UnknownWordsAreRefused) {
  for (const auto* text : {"", "fp", "fp 16", "FP16", "fp16 ", "float16", "fp64_tcx", "fp4"}) {
    EXPECT_EQ(parse_math(text), std::nullopt) << text;
  }
}

TEST(Math, StorageFollowsTheFormat) {
  EXPECT_EQ(storage_bytes(Math::kFp64), 8);
  EXPECT_EQ(storage_bytes(Math::kFp64Tc), 8);
  EXPECT_EQ(storage_bytes(Math::kFp32), 4);
  EXPECT_EQ(storage_bytes(Math::kTf32), 4);  // 19 bits that matter, 32 in memory
  EXPECT_EQ(storage_bytes(Math::kFp16), 2);
  EXPECT_EQ(storage_bytes(Math::kBf16), 2);
  EXPECT_EQ(storage_bytes(Math::kFp8), 1);
  EXPECT_EQ(storage_bytes(Math::kInt8), 1);
  EXPECT_EQ(storage_bytes(Math::kInt4), 0.5);
}

}  // namespace
}  // namespace uplift
