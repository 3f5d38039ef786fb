// SPDX-License-Identifier: Apache-2.0
// Reads and writes the file; a missing key, a constant out of its range or a family too many is an
// error.
#define TOML_EXCEPTIONS 0
#include "uplift/predict/op/op_constants.hpp"

#include "uplift/predict/op/embedded_operations.hpp"
#include "uplift/predict/op/families.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <optional>

namespace uplift::predict {
namespace {

/// One number of a record: where it stands below the family's table, and where it may lie.
struct Key {
  std::string path;
  double* value;
  double low, high;
};

/// Every number of a record but the family's own constants, in the order of the file.
std::vector<Key> keys(FamilyRecord& record) {
  FamilyKnowledge& learnt = record.knowledge;
  CarryConstants& carry = learnt.carry;
  std::vector<Key> all = {{"noise", &learnt.noise, 1e-4, 3.0},
                          {"carry.kernel", &carry.kernel, 0.0, 9.0},
                          {"carry.kernel_shared", &carry.kernel_shared, 0.0, 1.0},
                          {"carry.overhead", &carry.overhead, 0.0, 9.0},
                          {"carry.overhead_shared", &carry.overhead_shared, 0.0, 1.0}};
  for (const Knowledge knowledge : kKnowledges) {
    const auto i = static_cast<std::size_t>(knowledge);
    const auto add = [&](std::string_view name, double& value, double low, double high) {
      all.push_back({fmt::format("{}.{}", word(knowledge), name), &value, low, high});
    };
    add("compute", learnt.mean[i].compute, -3.0, 3.0);
    add("compute_spread", learnt.spread[i].compute, 0.0, 3.0);
    add("memory", learnt.mean[i].memory, -3.0, 3.0);
    add("memory_spread", learnt.spread[i].memory, 0.0, 3.0);
    add("overhead_seconds", learnt.mean[i].overhead, 0.0, 1.0);
    add("overhead_spread", learnt.spread[i].overhead, 0.0, 30.0);
    add("deviation_variance", learnt.field[i].variance, 1e-6, 9.0);
    add("deviation_reach", learnt.field[i].reach, 1e-3, 1e3);
    add("deviation_nugget", learnt.field[i].nugget, 0.01, 1.0);
    add("interval", learnt.interval[i], 0.0, 100.0);
    add("error_mean", record.accuracy[i].mean, 0.0, 100.0);
    add("error_worst", record.accuracy[i].worst, 0.0, 100.0);
    add("coverage", record.accuracy[i].coverage, 0.0, 1.0);
    add("high_over_low", record.accuracy[i].width, 0.0, 1e6);
  }
  return all;
}

Result<FamilyRecord> read_record(const toml::table& table, const OpFamily& family,
                                 const std::string& name) {
  FamilyRecord record;
  const auto wrong = [&](std::string_view key) {
    return failure(ErrorKind::kSyntax, name,
                   fmt::format("{}.{} is missing or out of range", family.name(), key));
  };
  const auto number = [&](std::string_view key, double low, double high) -> std::optional<double> {
    const auto value = table.at_path(key).value<double>();
    if (!value || !std::isfinite(*value) || *value < low || *value > high) return std::nullopt;
    return *value;
  };
  for (const ParameterRange& range : family.parameters()) {
    const std::string key = fmt::format("constants.{}", range.name);
    // Printing rounds: a constant at the end of its range may lie outside by as much.
    const double room = 1e-5 * (std::abs(range.low) + std::abs(range.high));
    const auto value = number(key, range.low - room, range.high + room);
    if (!value) return wrong(key);
    record.knowledge.constants.push_back(*value);
  }
  for (const Key& key : keys(record)) {
    const auto value = number(key.path, key.low, key.high);
    if (!value) return wrong(key.path);
    *key.value = *value;
  }
  for (const Knowledge knowledge : kKnowledges) {
    record.accuracy[static_cast<std::size_t>(knowledge)].worst_on =
        table.at_path(fmt::format("{}.error_worst_on", word(knowledge))).value_or(std::string());
    record.accuracy[static_cast<std::size_t>(knowledge)].cards =
        table.at_path(fmt::format("{}.error_cards", word(knowledge))).value_or(std::int64_t{0});
  }
  record.rows = table["rows"].value_or(std::int64_t{0});
  if (const toml::array* cards = table["fitted_on"].as_array()) {
    for (const toml::node& card : *cards) {
      record.knowledge.fitted_on.push_back(card.value_or(std::string()));
    }
  }
  return record;
}

}  // namespace

Result<OpConstants> OpConstants::parse(std::string_view text, const std::string& name) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return failure(ErrorKind::kSyntax,
                   fmt::format("{}:{}", name, parsed.error().source().begin.line),
                   std::string(parsed.error().description()));
  }
  OpConstants constants;
  for (const OpFamily* family : op_families()) {
    const toml::table* table = parsed.table()[family->name()].as_table();
    if (table == nullptr) {
      return failure(ErrorKind::kSyntax, name, fmt::format("[{}] is missing", family->name()));
    }
    auto record = read_record(*table, *family, name);
    if (!record) return failure(record.error());
    constants.records_.emplace(family->name(), std::move(*record));
  }
  return constants;
}

Result<OpConstants> OpConstants::load() {
  return parse(kOperationsText, "data/model/operations.toml");
}

const OpConstants& OpConstants::built_in() {
  static const OpConstants constants = load().value();
  return constants;
}

const FamilyRecord& OpConstants::of(const OpFamily& family) const {
  return records_.find(family.name())->second;
}

std::string render_constants(const std::map<std::string, FamilyRecord, std::less<>>& records) {
  std::string text =
      "# Written by tools/calibrate from public timings; do not edit. docs/operations.md says\n"
      "# where each number enters, docs/accuracy.md how far predictions with it are off.\n"
      "format = 1\n";
  for (const OpFamily* family : op_families()) {
    const auto found = records.find(family->name());
    if (found == records.end()) continue;
    FamilyRecord record = found->second;
    text += fmt::format("\n[{}]\nrows = {}\nfitted_on = [", family->name(), record.rows);
    for (std::size_t i = 0; i < record.knowledge.fitted_on.size(); ++i) {
      text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", record.knowledge.fitted_on[i]);
    }
    text += "]\n";
    const auto ranges = family->parameters();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      text += fmt::format("constants.{} = {:.5g}\n", ranges[i].name, record.knowledge.constants[i]);
    }
    for (const Key& key : keys(record)) text += fmt::format("{} = {:.5g}\n", key.path, *key.value);
    for (const Knowledge knowledge : kKnowledges) {
      const FamilyAccuracy& accuracy = record.accuracy[static_cast<std::size_t>(knowledge)];
      text += fmt::format("{0}.error_worst_on = \"{1}\"\n{0}.error_cards = {2}\n", word(knowledge),
                          accuracy.worst_on, accuracy.cards);
    }
  }
  return text;
}

}  // namespace uplift::predict
