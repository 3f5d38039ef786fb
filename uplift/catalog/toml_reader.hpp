// SPDX-License-Identifier: Apache-2.0
// toml++ as this stage uses it: without exceptions, and with errors that name file and line. Only
// the .cpp files of catalog/ include it.
#pragma once

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0

#include "uplift/core/gpu.hpp"
#include "uplift/core/result.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace uplift::catalog {

/// Files larger than this are refused: the largest of ours is 8 KiB.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

/// Names file and line in the errors of one TOML document.
class Place {
 public:
  explicit Place(std::string_view file) : file_(file) {}

  [[nodiscard]] tl::unexpected<Error> syntax(const toml::source_region& region, std::string seen,
                                             std::string advice = {}) const {
    const auto line = region.begin.line;
    return failure(ErrorKind::kSyntax, line > 0 ? fmt::format("{}:{}", file_, line) : file_,
                   std::move(seen), std::move(advice));
  }
  [[nodiscard]] tl::unexpected<Error> syntax(const toml::node& node, std::string seen,
                                             std::string advice = {}) const {
    return syntax(node.source(), std::move(seen), std::move(advice));
  }

 private:
  std::string file_;
};

/// The document, or the parser's complaint in one line.
[[nodiscard]] inline Result<toml::table> parse_toml(std::string_view text, const Place& place) {
  if (text.size() > kMaxFileBytes) {
    return place.syntax(toml::source_region{}, "the file is larger than 1 MiB",
                        "a GPU file is a few KiB");
  }
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return place.syntax(parsed.error().source(), std::string(parsed.error().description()),
                        "see docs/gpu_files.md for the format");
  }
  return std::move(parsed).table();
}

/// `format = 1` is the only version so far.
[[nodiscard]] inline Result<void> check_format(const toml::table& root, const Place& place) {
  const toml::node* node = root.get("format");
  if (node == nullptr) {
    return place.syntax(toml::source_region{}, "no `format`", "add `format = 1` at the top");
  }
  if (node->value_exact<std::int64_t>() != 1) {
    return place.syntax(*node, "`format` is not 1", "this version of uplift reads format 1");
  }
  return {};
}

/// A text value; nothing when the key is absent.
[[nodiscard]] inline Result<std::optional<std::string>> read_text(const toml::table& table,
                                                                  std::string_view key,
                                                                  const Place& place) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::optional<std::string>();
  const auto text = node->value_exact<std::string>();
  if (!text) return place.syntax(*node, fmt::format("`{}` is not a text", key), "put it in quotes");
  return text;
}

/// `how = "read"|"recalled"|"derived"`.
[[nodiscard]] inline Result<Provenance> read_provenance(const toml::table& table,
                                                        const Place& place) {
  auto how = read_text(table, "how", place);
  if (!how) return failure(how.error());
  if (*how == "read") return Provenance::kRead;
  if (*how == "recalled") return Provenance::kRecalled;
  if (*how == "derived") return Provenance::kDerived;
  return place.syntax(table,
                      how->has_value() ? fmt::format("unknown `how = \"{}\"`", **how)
                                       : "no `how`: how the number came here",
                      "write \"read\", \"recalled\" or \"derived\"");
}

}  // namespace uplift::catalog
