// SPDX-License-Identifier: Apache-2.0
// Reads the identity keys by name and every number by the field table; what neither knows is an
// error, so that a typing mistake cannot silently drop a number.
#include "uplift/catalog/gpu_file.hpp"

#include "uplift/catalog/toml_reader.hpp"
#include "uplift/catalog/units.hpp"
#include "uplift/core/gpu_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

namespace uplift::catalog {
namespace {

constexpr std::string_view kRootKeys[] = {"format",       "id",
                                          "name",         "architecture",
                                          "chip",         "compute_capability",
                                          "memory_type",  "aliases",
                                          "near_aliases", "notes",
                                          "launch_year",  "sources",
                                          "support",      "peak_exceptions"};

/// number × factor as the decimal that was written: 16.4 TFLOP/s is 16.4e12, not
/// 16399999999999.998. Fifteen digits are what a double keeps of any decimal.
double scaled(double number, double factor) {
  const std::string text = fmt::format("{:.15g}", number * factor);
  double value = number * factor;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

class GpuReader {
 public:
  GpuReader(const toml::table& root, std::string_view file) : root_(root), place_(file) {}

  Result<Gpu> read() {
    if (auto ok = check_format(root_, place_); !ok) return failure(ok.error());
    for (auto step :
         {&GpuReader::read_identity, &GpuReader::read_lists, &GpuReader::read_support,
          &GpuReader::read_exceptions, &GpuReader::read_all_numbers, &GpuReader::check_required}) {
      if (auto ok = (this->*step)(); !ok) return failure(ok.error());
    }
    return std::move(gpu_);
  }

 private:
  Result<void> read_into(std::string& target, const toml::table& table, std::string_view key,
                         bool required) {
    auto text = read_text(table, key, place_);
    if (!text) return failure(text.error());
    if (required && (!text->has_value() || (*text)->empty())) {
      return place_.syntax(table, fmt::format("no `{}`", key), "every GPU needs one");
    }
    if (text->has_value()) target = **text;
    return {};
  }

  Result<void> read_identity() {
    const std::pair<std::string_view, std::string*> texts[] = {{"id", &gpu_.id},
                                                               {"name", &gpu_.name},
                                                               {"architecture", &gpu_.architecture},
                                                               {"chip", &gpu_.chip},
                                                               {"memory_type", &gpu_.memory_type}};
    for (const auto& [key, target] : texts) {
      auto ok = read_into(*target, root_, key, key == "id" || key == "name");
      if (!ok) return ok;
    }
    const auto fine = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    };
    if (!std::all_of(gpu_.id.begin(), gpu_.id.end(), fine)) {
      return place_.syntax(*root_.get("id"), fmt::format("id \"{}\" has other characters", gpu_.id),
                           "use lower case letters, digits, `-` and `.`");
    }
    if (auto ok = read_capability(); !ok) return ok;
    if (const toml::node* year = root_.get("launch_year")) {
      const auto value = year->value_exact<std::int64_t>();
      if (!value || *value < 1990 || *value > 2100) {
        return place_.syntax(*year, "`launch_year` is not a year", "write it as 2020");
      }
      gpu_.launch_year = static_cast<int>(*value);
    }
    return {};
  }

  Result<void> read_capability() {
    std::string text;
    if (auto ok = read_into(text, root_, "compute_capability", true); !ok) return ok;
    const auto dot = text.find('.');
    const auto digits = [](std::string_view part) {
      return !part.empty() && part.size() <= 3 &&
             std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    if (dot == std::string::npos || !digits(std::string_view(text).substr(0, dot)) ||
        !digits(std::string_view(text).substr(dot + 1))) {
      return place_.syntax(*root_.get("compute_capability"),
                           fmt::format("compute capability \"{}\"", text), "write it as \"8.0\"");
    }
    gpu_.compute_capability = {std::stoi(text.substr(0, dot)), std::stoi(text.substr(dot + 1))};
    return {};
  }

  Result<void> read_lists() {
    const std::pair<std::string_view, std::vector<std::string>*> lists[] = {
        {"aliases", &gpu_.aliases}, {"near_aliases", &gpu_.near_aliases}, {"notes", &gpu_.notes}};
    for (const auto& [key, target] : lists) {
      const toml::node* node = root_.get(key);
      if (node == nullptr) continue;
      const toml::array* array = node->as_array();
      if (array == nullptr) {
        return place_.syntax(*node, fmt::format("`{}` is not a list", key),
                             "write it as [\"…\", \"…\"]");
      }
      for (const toml::node& item : *array) {
        const auto text = item.value_exact<std::string>();
        if (!text) {
          return place_.syntax(item, fmt::format("`{}` holds something other than texts", key),
                               "put it in quotes");
        }
        target->push_back(*text);
      }
    }
    return {};
  }

  /// The table `key` of the root, or nullptr; a value of another type is an error.
  Result<const toml::table*> subtable(std::string_view key) {
    const toml::node* node = root_.get(key);
    if (node == nullptr) return nullptr;
    if (node->as_table() == nullptr) {
      return place_.syntax(*node, fmt::format("`{}` is not a table", key),
                           fmt::format("write [{}]", key));
    }
    return node->as_table();
  }

  Result<void> read_support() {
    auto table = subtable("support");
    if (!table) return failure(table.error());
    if (*table == nullptr) return {};
    constexpr std::string_view kKeys[] = {"last_cuda_toolkit", "last_driver_branch", "source",
                                          "how"};
    for (const auto& [key, node] : **table) {
      if (std::find(std::begin(kKeys), std::end(kKeys), key.str()) == std::end(kKeys)) {
        return unknown_key("support", key.str(), node);
      }
    }
    for (const auto& [key, target] :
         {std::pair<std::string_view, std::string*>{"last_cuda_toolkit", &gpu_.last_cuda_toolkit},
          {"last_driver_branch", &gpu_.last_driver_branch},
          {"source", &gpu_.support_source}}) {
      if (auto ok = read_into(*target, **table, key, false); !ok) return ok;
    }
    auto how = read_provenance(**table, place_);
    if (!how) return failure(how.error());
    gpu_.support_provenance = *how;
    return {};
  }

  Result<void> read_exceptions() {
    auto table = subtable("peak_exceptions");
    if (!table) return failure(table.error());
    if (*table == nullptr) return {};
    for (const auto& [key, node] : **table) {
      const auto reason = node.value_exact<std::string>();
      if (!reason || find_gpu_field(key.str()) == nullptr) {
        return place_.syntax(node, fmt::format("peak exception `{}`", key.str()),
                             "write \"peak.dense.fp16\" = \"reason\"");
      }
      gpu_.peak_exceptions.push_back({std::string(key.str()), *reason});
    }
    return {};
  }

  Result<void> read_all_numbers() {
    for (const auto& [key, node] : root_) {
      const std::string_view name = key.str();
      if (std::find(std::begin(kRootKeys), std::end(kRootKeys), name) != std::end(kRootKeys)) {
        continue;
      }
      const toml::table* table = node.as_table();
      if (table == nullptr) return unknown_key("", name, node);
      if (auto ok = read_numbers(*table, std::string(name)); !ok) return ok;
    }
    return {};
  }

  /// Walks a table: what the field table knows is a number, what leads to fields is a section.
  Result<void> read_numbers(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string path = prefix + "." + std::string(key.str());
      if (const GpuField* field = find_gpu_field(path)) {
        if (auto ok = read_number(*field, node); !ok) return ok;
        continue;
      }
      const bool section =
          std::any_of(gpu_fields().begin(), gpu_fields().end(), [&](const GpuField& field) {
            return field.path.substr(0, path.size() + 1) == path + ".";
          });
      if (!section || node.as_table() == nullptr) return unknown_key(prefix, key.str(), node);
      if (auto ok = read_numbers(*node.as_table(), path); !ok) return ok;
    }
    return {};
  }

  Result<void> read_number(const GpuField& field, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      return place_.syntax(
          node, fmt::format("`{}` has no unit and no source", field.path),
          fmt::format("write {{ value = …, unit = \"{}\", source = \"…\", how = \"read\" }}",
                      field.unit));
    }
    constexpr std::string_view kKeys[] = {"value", "unit", "source", "how", "note"};
    for (const auto& [key, item] : *table) {
      if (std::find(std::begin(kKeys), std::end(kKeys), key.str()) == std::end(kKeys)) {
        return unknown_key(field.path, key.str(), item);
      }
    }
    Fact fact;
    if (auto ok = read_value(field, *table, fact); !ok) return ok;
    if (auto ok = read_into(fact.source, *table, "source", true); !ok) return ok;
    if (const toml::table* sources = root_["sources"].as_table()) {
      if (const auto full = (*sources)[fact.source].value<std::string>()) fact.source = *full;
    }
    if (auto ok = read_into(fact.note, *table, "note", false); !ok) return ok;
    auto how = read_provenance(*table, place_);
    if (!how) return failure(how.error());
    fact.provenance = *how;
    field.write(gpu_) = std::move(fact);
    return {};
  }

  Result<void> read_value(const GpuField& field, const toml::table& table, Fact& fact) {
    const toml::node* value = table.get("value");
    if (value == nullptr) {
      return place_.syntax(table, fmt::format("`{}` has no value", field.path),
                           "leave the whole line out when the number is unknown");
    }
    const auto number = value->value<double>();
    if (!number || (!value->is_integer() && !value->is_floating_point())) {
      return place_.syntax(*value, fmt::format("`{}` is not a number", field.path));
    }
    const bool zero_means_none =
        field.path == "board.mig_instances" || field.path == "link.nvlink_links";
    if (!std::isfinite(*number) || *number < 0.0 || (*number == 0.0 && !zero_means_none)) {
      return place_.syntax(*value, fmt::format("`{}` is {}", field.path, *number),
                           "give a finite number above zero, or leave the line out");
    }
    if (field.kind == UnitKind::kCount && std::floor(*number) != *number) {
      return place_.syntax(*value, fmt::format("`{}` is {}", field.path, *number),
                           "a count is a whole number");
    }
    std::string unit;
    if (auto ok = read_into(unit, table, "unit", true); !ok) return ok;
    const auto factor = unit_factor(unit, field.kind);
    if (!factor) {
      return place_.syntax(*table.get("unit"),
                           fmt::format("`{}` cannot be in \"{}\"", field.path, unit),
                           fmt::format("use {}", unit_choices(field.kind)));
    }
    fact.value = scaled(*number, *factor);
    return {};
  }

  Result<void> check_required() {
    for (const GpuField& field : gpu_fields()) {
      if (field.required && !field.read(gpu_)) {
        return place_.syntax(toml::source_region{}, fmt::format("no `{}`", field.path),
                             "no prediction is possible without it");
      }
    }
    return {};
  }

  Result<void> unknown_key(std::string_view where, std::string_view key, const toml::node& node) {
    const std::string full = where.empty() ? std::string(key) : fmt::format("{}.{}", where, key);
    return place_.syntax(node, fmt::format("unknown key `{}`", full),
                         "docs/gpu_files.md lists the keys");
  }

  const toml::table& root_;
  Place place_;
  Gpu gpu_;
};

}  // namespace

Result<Gpu> parse_gpu_file(std::string_view text, std::string_view file) {
  auto root = parse_toml(text, Place(file));
  if (!root) return failure(root.error());
  return GpuReader(*root, file).read();
}

Result<Gpu> load_gpu_file(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return failure(ErrorKind::kIo, name, "is a directory", "name one GPU file");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return failure(ErrorKind::kIo, name, "cannot be opened", "check the path");
  // One byte more than the limit is enough to see that the file is too large.
  std::string text(kMaxFileBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return failure(ErrorKind::kIo, name, "cannot be read");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return parse_gpu_file(text, name);
}

}  // namespace uplift::catalog
