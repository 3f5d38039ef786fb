// SPDX-License-Identifier: Apache-2.0
#include "uplift/catalog/capability_file.hpp"

#include "uplift/catalog/toml_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace uplift::catalog {
namespace {

Result<bool> read_flag(const toml::table& table, std::string_view key, const Place& place) {
  const toml::node* node = table.get(key);
  const auto flag = node == nullptr ? std::nullopt : node->value_exact<bool>();
  if (!flag) return place.syntax(table, fmt::format("no `{}`", key), "write true or false");
  return *flag;
}

Result<std::optional<double>> read_rate(const toml::table& table, std::string_view key,
                                        const Place& place) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::optional<double>();
  const auto rate = node->value<double>();
  if (!rate || !std::isfinite(*rate) || *rate <= 0.0) {
    return place.syntax(*node, fmt::format("`{}` is not a rate", key),
                        "give operations per clock and SM");
  }
  return rate;
}

Result<FormatSupport> read_format(std::string_view word, const toml::table& table,
                                  const Place& place) {
  FormatSupport support;
  support.format = word;
  auto tensor = read_flag(table, "tensor_core", place);
  auto sparse = read_flag(table, "sparse_2to4", place);
  auto tensor_rate = read_rate(table, "tensor_rate", place);
  auto cuda_rate = read_rate(table, "cuda_core_rate", place);
  auto how = read_provenance(table, place);
  if (!tensor) return failure(tensor.error());
  if (!sparse) return failure(sparse.error());
  if (!tensor_rate) return failure(tensor_rate.error());
  if (!cuda_rate) return failure(cuda_rate.error());
  if (!how) return failure(how.error());
  support.tensor_core = *tensor;
  support.sparse_2to4 = *sparse;
  support.tensor_rate = *tensor_rate;
  support.cuda_core_rate = *cuda_rate;
  support.provenance = *how;
  for (const auto& [key, target] :
       {std::pair<std::string_view, std::string*>{"tensor_path", &support.tensor_path},
        {"cuda_core_path", &support.cuda_core_path},
        {"note", &support.note},
        {"source", &support.source}}) {
    auto text = read_text(table, key, place);
    if (!text) return failure(text.error());
    *target = text->value_or("");
  }
  return support;
}

}  // namespace

Result<std::vector<CapabilityFormats>> parse_capability_file(std::string_view text,
                                                             std::string_view file) {
  const Place place(file);
  auto root = parse_toml(text, place);
  if (!root) return failure(root.error());
  if (auto ok = check_format(*root, place); !ok) return failure(ok.error());
  std::vector<CapabilityFormats> result;
  const toml::table* capabilities = (*root)["cc"].as_table();
  if (capabilities == nullptr) return place.syntax(*root, "no `cc` table");
  for (const auto& [key, node] : *capabilities) {
    CapabilityFormats entry;
    int end = 0;
    const std::string name(key.str());
    if (std::sscanf(name.c_str(), "%3d.%3d%n", &entry.compute_capability.major,
                    &entry.compute_capability.minor, &end) != 2 ||
        static_cast<std::size_t>(end) != name.size() || node.as_table() == nullptr) {
      return place.syntax(node, fmt::format("compute capability \"{}\"", name),
                          "write [cc.\"8.0\".fp16]");
    }
    for (const auto& [word, format] : *node.as_table()) {
      if (format.as_table() == nullptr) return place.syntax(format, "a format is a table");
      auto support = read_format(word.str(), *format.as_table(), place);
      if (!support) return failure(support.error());
      entry.formats.push_back(std::move(*support));
    }
    // From wide to narrow, floating point before integers, whatever the order in the file.
    constexpr std::string_view kOrder[] = {"fp64", "fp32", "tf32", "bf16", "fp16",
                                           "fp8",  "fp6",  "fp4",  "int8", "int4"};
    const auto rank = [&](const FormatSupport& support) {
      return std::find(std::begin(kOrder), std::end(kOrder), support.format);
    };
    std::stable_sort(entry.formats.begin(), entry.formats.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    result.push_back(std::move(entry));
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return a.compute_capability < b.compute_capability;
  });
  return result;
}

}  // namespace uplift::catalog
