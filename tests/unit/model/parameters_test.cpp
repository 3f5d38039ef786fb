// SPDX-License-Identifier: Apache-2.0
// The file of constants: the built-in one loads, and any other is checked key by key.
#include "uplift/model/parameters.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <string>

namespace uplift::model {
namespace {

using ::testing::HasSubstr;

std::string built_in_text() {
  std::ifstream file(UPLIFT_SOURCE_DIR "/data/model/parameters.toml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The built-in file with one line exchanged.
std::string with_line(const std::string& old_line, const std::string& new_line) {
  std::string text = built_in_text();
  const std::size_t at = text.find("\n" + old_line + "\n");
  EXPECT_NE(std::string::npos, at) << old_line;
  return text.replace(at + 1, old_line.size(), new_line);
}

TEST(Parameters, TheBuiltInFileLoads) {
  const auto parameters = load_parameters();
  ASSERT_TRUE(parameters) << parameters.error().line();
  EXPECT_FALSE(parameters->version.empty());
  EXPECT_DOUBLE_EQ(0.90, parameters->sustained_fp64);
}

TEST(Parameters, TheHashIsOfTheFile) {
  // sha256sum prints 64 hex digits; the build computes the same from the same bytes.
  EXPECT_EQ(64U, parameters_sha256().size());
  EXPECT_EQ(std::string_view::npos, parameters_sha256().find_first_not_of("0123456789abcdef"));
}

TEST(Parameters, AMissingKeyIsNamed) {
  const auto parameters = parse_parameters(with_line("fp64 = 0.90", ""), "p.toml");
  ASSERT_FALSE(parameters);
  EXPECT_THAT(parameters.error().line(), HasSubstr("p.toml: sustained.fp64"));
}

TEST(Parameters, ValuesMustBePositiveAndFinite) {
  for (const char* bad : {"fp64 = 0", "fp64 = -1", "fp64 = nan", "fp64 = inf", "fp64 = \"much\""}) {
    EXPECT_FALSE(parse_parameters(with_line("fp64 = 0.90", bad), "p.toml")) << bad;
  }
}

TEST(Parameters, TextThatIsNoTomlIsToldByLine) {
  const auto parameters = parse_parameters("format = 1\n[sustained\n", "p.toml");
  ASSERT_FALSE(parameters);
  EXPECT_THAT(parameters.error().line(), HasSubstr("p.toml:2"));
}

}  // namespace
}  // namespace uplift::model
