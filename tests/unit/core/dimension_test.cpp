// SPDX-License-Identifier: Apache-2.0
// The seven words are a contract: they name JSON keys, report columns and files. A rename that
// forgets one of those places fails here.
#include "uplift/core/dimension.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace uplift {
namespace {

TEST(Dimension, HasSevenDifferentWords) {
  std::set<std::string_view> words;
  for (const Dimension dimension : kDimensions) words.insert(word(dimension));
  EXPECT_EQ(words, (std::set<std::string_view>{"tensor", "memory", "cache", "copy", "mig",
                                               "sparsity", "energy"}));
}

TEST(Dimension, HasAPageEach) {
  for (const Dimension dimension : kDimensions) {
    const std::filesystem::path page = std::filesystem::path(UPLIFT_SOURCE_DIR) /
                                       "docs/dimensions" / (std::string(word(dimension)) + ".md");
    std::ifstream file(page);
    ASSERT_TRUE(file) << page << " is missing";
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(text.starts_with("# " + std::string(word(dimension)) + "\n"))
        << page << " is not headed by its word";
  }
}

TEST(Dimension, IsOrderedAsPrinted) {
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kDimensions[i]), i);
  }
}

}  // namespace
}  // namespace uplift
