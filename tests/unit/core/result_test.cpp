// SPDX-License-Identifier: Apache-2.0
#include "uplift/core/result.hpp"

#include <gtest/gtest.h>

namespace uplift {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return failure(ErrorKind::kSyntax, "n", "is odd", "give an even one");
  return value / 2;
}

Result<std::string> half_as_text(int value) {
  const Result<int> result = half(value);
  if (!result) return failure(result.error());
  return std::to_string(*result);
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_EQ(half(4).value(), 2);
  ASSERT_FALSE(half(3));
  EXPECT_EQ(half(3).error().kind, ErrorKind::kSyntax);
}

TEST(Result, AnErrorPassesThroughToAnotherValueType) {
  EXPECT_EQ(half_as_text(4).value(), "2");
  ASSERT_FALSE(half_as_text(3));
  EXPECT_EQ(half_as_text(3).error().line(), "n: is odd; give an even one");
}

TEST(Error, LineLeavesOutWhatIsEmpty) {
  EXPECT_EQ((Error{ErrorKind::kIo, "", "no space", ""}).line(), "no space");
  EXPECT_EQ((Error{ErrorKind::kIo, "a.json:7", "no space", ""}).line(), "a.json:7: no space");
  EXPECT_EQ((Error{ErrorKind::kUsage, "", "no GPU", "name one"}).line(), "no GPU; name one");
}

TEST(Error, KindsMapToTheExitCodesOfTheHelp) {
  EXPECT_EQ(exit_code(ErrorKind::kIo), 1);
  EXPECT_EQ(exit_code(ErrorKind::kSyntax), 1);
  EXPECT_EQ(exit_code(ErrorKind::kUnsupported), 1);
  EXPECT_EQ(exit_code(ErrorKind::kNotFound), 2);
  EXPECT_EQ(exit_code(ErrorKind::kUsage), 2);
  EXPECT_EQ(exit_code(ErrorKind::kDevice), 3);
}

}  // namespace
}  // namespace uplift
