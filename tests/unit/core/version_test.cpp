// SPDX-License-Identifier: Apache-2.0
#include "uplift/core/version.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace uplift {
namespace {

TEST(Version, IsThreeNumbers) {
  EXPECT_EQ(std::count(version().begin(), version().end(), '.'), 2);
  EXPECT_EQ(version().find_first_not_of("0123456789."), std::string_view::npos);
}

TEST(Version, GitHashIsHexOrEmpty) {
  std::string_view hash = git_hash();
  if (hash.ends_with("-dirty")) hash.remove_suffix(6);
  if (hash.empty()) return;  // not a checkout, or no git
  EXPECT_GE(hash.size(), 12U);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string_view::npos);
}

}  // namespace
}  // namespace uplift
