// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/gpu_comparison.hpp"

#include <algorithm>
#include <string_view>

namespace uplift::report {
namespace {

/// A smaller loss than this is rounding on data sheets, or scatter between measurements.
constexpr double kSamePeak = 0.02;
constexpr double kSameMeasured = 0.05;

/// The format behind a tensor peak: `peak.dense.fp16` is `fp16`; empty for other fields.
std::string_view tensor_format(std::string_view path) {
  for (const std::string_view prefix : {"peak.dense.", "peak.sparse."}) {
    if (path.substr(0, prefix.size()) != prefix) continue;
    const std::string_view word = path.substr(prefix.size());
    if (word == "fp64_tc") return "fp64";
    return word == "fp64" || word == "fp32" ? std::string_view() : word;
  }
  return path == "peak.other.fp4" ? std::string_view("fp4") : std::string_view();
}

bool is_tensor_format(const CapabilityFormats& formats, std::string_view word) {
  const FormatSupport* support = formats.find(word);
  return support != nullptr && support->tensor_core;
}

FormatChange change_of(const BoardView& from, const BoardView& to) {
  FormatChange change;
  if (from.formats == nullptr || to.formats == nullptr) return change;
  for (const FormatSupport& support : to.formats->formats) {
    if (support.tensor_core && !is_tensor_format(*from.formats, support.format)) {
      change.gained.push_back(support.format);
    }
  }
  for (const FormatSupport& support : from.formats->formats) {
    if (support.tensor_core && !is_tensor_format(*to.formats, support.format)) {
      change.lost.push_back(support.format);
    }
  }
  return change;
}

ComparisonCell compare_cell(const GpuField& field, const BoardView& board,
                            const ComparisonCell& first) {
  ComparisonCell cell;
  cell.presence = presence(field, board);
  if (cell.presence == Presence::kKnown) cell.value = field.read(*board.gpu)->value;
  if (first.presence != Presence::kKnown) return cell;
  if (cell.presence == Presence::kAbsent) cell.downgrade = field.better == Better::kHigher;
  if (cell.presence != Presence::kKnown || first.value == 0.0) return cell;
  cell.ratio = cell.value / first.value;
  const bool measured = field.path.substr(0, 10) == "published.";
  const double same_within = measured ? kSameMeasured : kSamePeak;
  const bool worse = field.better == Better::kHigher  ? *cell.ratio < 1.0 - same_within
                     : field.better == Better::kLower ? *cell.ratio > 1.0 + same_within
                                                      : false;
  // More board power is a cost, told by the ratio; it is no capability lost.
  cell.downgrade = worse && field.kind != UnitKind::kPower;
  return cell;
}

}  // namespace

Presence presence(const GpuField& field, const BoardView& board) {
  const MaybeFact& fact = field.read(*board.gpu);
  if (fact) return fact->value == 0.0 ? Presence::kAbsent : Presence::kKnown;
  if (field.path.substr(0, 12) == "link.nvlink_") {
    const MaybeFact& links = board.gpu->nvlink_links;
    return links && links->value == 0.0 ? Presence::kAbsent : Presence::kUnknown;
  }
  const std::string_view format = tensor_format(field.path);
  if (format.empty() || board.formats == nullptr) return Presence::kUnknown;
  const FormatSupport* support = board.formats->find(format);
  const bool sparse = field.path.substr(0, 12) == "peak.sparse.";
  const bool has = support != nullptr && support->tensor_core && (!sparse || support->sparse_2to4);
  return has ? Presence::kUnknown : Presence::kAbsent;
}

Comparison compare_boards(std::span<const BoardView> boards) {
  Comparison comparison;
  for (const GpuField& field : gpu_fields()) {
    ComparisonRow row{&field, {}};
    for (const BoardView& board : boards) {
      const ComparisonCell nothing;
      const bool is_first = row.cells.empty();
      ComparisonCell cell = compare_cell(field, board, is_first ? nothing : row.cells.front());
      if (is_first && cell.presence == Presence::kKnown && cell.value != 0.0) cell.ratio = 1.0;
      row.cells.push_back(cell);
    }
    const bool any = std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) {
      return cell.presence == Presence::kKnown;
    });
    if (any) comparison.rows.push_back(std::move(row));
  }
  for (const BoardView& board : boards) {
    comparison.formats.push_back(comparison.formats.empty() ? FormatChange{}
                                                            : change_of(boards.front(), board));
  }
  return comparison;
}

}  // namespace uplift::report
