// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/gpu_document.hpp"

#include "uplift/report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace uplift::report {
namespace {

constexpr std::string_view kDowngrade = "▼";

std::string capability(const Gpu& gpu) {
  return fmt::format("{}.{}", gpu.compute_capability.major, gpu.compute_capability.minor);
}

/// A format's word as people write it: `fp8` is FP8.
std::string upper(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string upper_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + upper(word);
  return text;
}

std::string_view printed_unit(const GpuField& field) {
  if (field.kind == UnitKind::kCount || field.kind == UnitKind::kRatio) return "";
  return field.unit == "us" ? "µs" : field.unit;
}

std::string label_with_unit(const GpuField& field) {
  const std::string_view unit = printed_unit(field);
  return unit.empty() ? std::string(field.label) : fmt::format("{}, {}", field.label, unit);
}

std::string number_text(const GpuField& field, Presence presence, double value) {
  switch (presence) {
    case Presence::kKnown:
      return format_in_unit(value, field.unit, field.kind);
    case Presence::kAbsent:
      return "none";
    case Presence::kUnknown:
      return std::string(kUnknown);
  }
  return "";
}

Cell number_cell(std::string_view path, const BoardView& board) {
  const GpuField& field = *find_gpu_field(path);
  const MaybeFact& fact = field.read(*board.gpu);
  const Presence is = presence(field, board);
  return {number_text(field, is, fact ? fact->value : 0.0),
          is == Presence::kKnown ? Tone::kPlain : Tone::kFaint,
          fact ? format_raw(fact->value) : std::string(is == Presence::kAbsent ? "0" : "")};
}

std::string support_text(const Gpu& gpu) {
  if (gpu.last_cuda_toolkit.empty()) return "current";
  return gpu.last_cuda_toolkit;
}

struct Section {
  std::string_view prefix;
  std::string_view title;
};

constexpr Section kSections[] = {
    {"compute.", "Compute"},
    {"peak.dense.", "Peaks, dense (data sheet)"},
    {"peak.other.", "Other peaks, dense"},
    {"peak.sparse.", "Peaks with 2:4 sparsity, zeros counted"},
    {"memory.", "Memory"},
    {"sm.", "Per SM"},
    {"link.", "Links and copies"},
    {"board.", "Board"},
    {"published.", "Published sustained figures"},
};

/// Sources are long and shared: tables show a number, the end of the document the text.
class SourceList {
 public:
  std::string reference(const std::string& source) {
    const auto found = std::find(texts_.begin(), texts_.end(), source);
    const auto number = found - texts_.begin() + 1;
    if (found == texts_.end()) texts_.push_back(source);
    return fmt::format("[{}]", number);
  }
  [[nodiscard]] Table table() const {
    Table table;
    table.title = "Sources";
    table.columns = {{"", "source_number", Align::kRight}, {"", "source", Align::kLeft}};
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      table.rows.push_back({{fmt::format("[{}]", i + 1)}, {texts_[i]}});
    }
    return table;
  }

 private:
  std::vector<std::string> texts_;
};

Table fact_table(const Section& section, const BoardView& board, SourceList& sources) {
  Table table;
  table.title = section.title;
  table.columns = {{"", "quantity", Align::kLeft},     {"value", "value", Align::kRight},
                   {"unit", "unit", Align::kLeft},     {"how", "how", Align::kLeft},
                   {"source", "source", Align::kLeft}, {"note", "note", Align::kLeft}};
  for (const GpuField& field : gpu_fields()) {
    const MaybeFact& fact = field.read(*board.gpu);
    if (!fact || field.path.substr(0, section.prefix.size()) != section.prefix) continue;
    const Tone tone = fact->provenance == Provenance::kRead ? Tone::kPlain : Tone::kFaint;
    const Presence is = presence(field, board);
    table.rows.push_back(
        {{std::string(field.label), Tone::kPlain, std::string(field.json_key)},
         {number_text(field, is, fact->value), Tone::kStrong, format_raw(fact->value)},
         {std::string(printed_unit(field))},
         {std::string(word(fact->provenance)), tone},
         {sources.reference(fact->source), Tone::kFaint, fact->source},
         {fact->note, Tone::kFaint}});
  }
  return table;
}

Table format_table(const CapabilityFormats& formats) {
  Table table;
  table.title = fmt::format("Number formats of compute capability {}.{}",
                            formats.compute_capability.major, formats.compute_capability.minor);
  table.columns = {{"", "format", Align::kLeft},
                   {"tensor cores", "tensor_core", Align::kLeft},
                   {"2:4", "sparse_2to4", Align::kLeft},
                   {"op/clock/SM", "dense_ops_per_clock_per_sm", Align::kRight},
                   {"CUDA cores", "cuda_core_path", Align::kLeft, true}};
  for (const FormatSupport& support : formats.formats) {
    const auto rate = support.tensor_rate ? support.tensor_rate : support.cuda_core_rate;
    const auto yes_no = [](bool yes) {
      return Cell{yes ? "yes" : "no", yes ? Tone::kGood : Tone::kFaint};
    };
    table.rows.push_back(
        {{upper(support.format), Tone::kPlain, support.format},
         yes_no(support.tensor_core),
         yes_no(support.sparse_2to4),
         {rate ? format_in_unit(*rate, "1", UnitKind::kRatio) : std::string(kUnknown), Tone::kPlain,
          rate ? format_raw(*rate) : std::string()},
         {support.cuda_core_path}});
  }
  return table;
}

/// Rows that are the same on every board and tell little: left out of a table meant for a ticket.
bool is_dull(const ComparisonRow& row) {
  const std::string_view path = row.field->path;
  const bool minor = path.substr(0, 3) == "sm." || path == "link.pcie_lanes" ||
                     path == "compute.tensor_clock" || path == "memory.visible" ||
                     path == "memory.l2_persisting" || path == "compute.fp32_accumulate_ratio" ||
                     path == "peak.other.fp16_fp16acc";
  const bool never = path == "memory.bus_width" || path == "link.nvlink_generation" ||
                     path == "link.nvlink_links" || path.substr(0, 12) == "peak.sparse.";
  const bool few = std::count_if(row.cells.begin(), row.cells.end(), [](const auto& cell) {
                     return cell.presence == Presence::kKnown;
                   }) < 2;
  const bool all_one = std::all_of(row.cells.begin(), row.cells.end(), [](const auto& cell) {
    return !cell.ratio || *cell.ratio == 1.0;
  });
  return never || (minor && (few || all_one)) || (few && path.substr(0, 10) == "published.");
}

std::vector<Cell> text_row(std::string_view label, std::string_view key,
                           std::span<const BoardView> boards, std::string (*text)(const Gpu&)) {
  std::vector<Cell> row = {{std::string(label), Tone::kPlain, std::string(key)}};
  for (std::size_t i = 0; i < boards.size(); ++i) {
    row.push_back({text(*boards[i].gpu)});
    if (i > 0) row.push_back({""});
  }
  return row;
}

Table compare_table(std::span<const BoardView> boards, const Comparison& comparison) {
  Table table;
  table.columns = {{"", "quantity", Align::kLeft}};
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const std::string& id = boards[i].gpu->id;
    table.columns.push_back({id, id});
    if (i > 0) table.columns.push_back({"ratio", "ratio_" + id});
  }
  table.rows.push_back(text_row("Architecture", "architecture", boards,
                                [](const Gpu& gpu) { return gpu.architecture; }));
  table.rows.push_back(text_row("Compute capability", "compute_capability", boards, capability));
  table.rows.push_back(text_row("Last CUDA toolkit", "last_cuda_toolkit", boards, support_text));
  for (const ComparisonRow& row : comparison.rows) {
    if (is_dull(row)) continue;
    const bool published = row.field->path.substr(0, 10) == "published.";
    std::vector<Cell> cells = {{label_with_unit(*row.field) + (published ? " *" : ""), Tone::kPlain,
                                std::string(row.field->json_key)}};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const ComparisonCell& cell = row.cells[i];
      const bool known = cell.presence == Presence::kKnown;
      cells.push_back({number_text(*row.field, cell.presence, cell.value),
                       known ? Tone::kPlain : Tone::kFaint,
                       known                                ? format_raw(cell.value)
                       : cell.presence == Presence::kAbsent ? std::string("0")
                                                            : std::string()});
      if (i == 0) continue;
      std::string ratio = cell.ratio ? format_ratio(*cell.ratio) : std::string();
      if (cell.downgrade) ratio += (ratio.empty() ? "lost " : " ") + std::string(kDowngrade);
      cells.push_back(
          {ratio, cell.downgrade ? Tone::kBad : Tone::kPlain,
           cell.ratio ? format_raw(*cell.ratio) : std::string(cell.downgrade ? "0" : "")});
    }
    table.rows.push_back(std::move(cells));
  }
  table.notes = {
      "Peaks are dense, from data sheets; 2:4 sparsity doubles them where a format has it. "
      "* sustained, measured by others. – unknown, none: the board has no such thing."};
  return table;
}

std::string downgrade_list(const Comparison& comparison, std::size_t board) {
  std::string text;
  for (const ComparisonRow& row : comparison.rows) {
    const ComparisonCell& cell = row.cells[board];
    if (!cell.downgrade || is_dull(row)) continue;
    text += text.empty() ? "" : ", ";
    text += row.field->label;
    text += cell.ratio ? " " + format_ratio(*cell.ratio) : " gone";
  }
  return text;
}

}  // namespace

Document gpu_list_document(std::span<const BoardView> boards) {
  Table table;
  table.columns = {{"GPU", "gpu", Align::kLeft},
                   {"arch", "architecture", Align::kLeft},
                   {"cc", "compute_capability"},
                   {"SMs", "sm_count"},
                   {"FP32", "dense_fp32_flops_per_second"},
                   {"TF32", "dense_tf32_flops_per_second"},
                   {"FP16", "dense_fp16_flops_per_second"},
                   {"FP8", "dense_fp8_flops_per_second"},
                   {"GB", "memory_bytes"},
                   {"GB/s", "dram_bandwidth_bytes_per_second"},
                   {"L2 MiB", "l2_bytes"},
                   {"W", "board_power_watts"},
                   {"MIG", "mig_instance_count"}};
  for (const BoardView& board : boards) {
    std::vector<Cell> row = {
        {board.gpu->id, Tone::kStrong}, {board.gpu->architecture}, {capability(*board.gpu)}};
    for (const std::string_view path :
         {"compute.sm_count", "peak.dense.fp32", "peak.dense.tf32", "peak.dense.fp16",
          "peak.dense.fp8", "memory.capacity", "memory.bandwidth", "memory.l2", "board.power",
          "board.mig_instances"}) {
      row.push_back(number_cell(path, board));
    }
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Peaks are dense TFLOP/s from data sheets: FP32 on CUDA cores, the others "
      "on tensor cores (none: no such path). MIG: instances at most. – unknown. "
      "uplift gpus GPU shows every number and its source."};
  return {{std::move(table)}};
}

Document gpu_document(const BoardView& board) {
  const Gpu& gpu = *board.gpu;
  Document document;
  document.blocks.push_back(Heading{fmt::format("{} ({})", gpu.name, gpu.id)});
  std::string what = fmt::format("{} {}, compute capability {}, {}", gpu.architecture, gpu.chip,
                                 capability(gpu), gpu.memory_type);
  if (gpu.launch_year > 0) what += fmt::format(", launched {}", gpu.launch_year);
  document.blocks.push_back(Paragraph{what + "."});
  document.blocks.push_back(Paragraph{
      gpu.last_cuda_toolkit.empty()
          ? fmt::format("Supported by current CUDA toolkits and drivers ({}).", gpu.support_source)
          : fmt::format("Last CUDA toolkit: {}. Last driver branch: {}. ({})",
                        gpu.last_cuda_toolkit, gpu.last_driver_branch, gpu.support_source),
      gpu.last_cuda_toolkit.empty() ? Tone::kPlain : Tone::kWarning});
  SourceList sources;
  for (const Section& section : kSections) {
    Table table = fact_table(section, board, sources);
    if (!table.rows.empty()) document.blocks.push_back(std::move(table));
  }
  if (board.formats != nullptr) document.blocks.push_back(format_table(*board.formats));
  for (const PeakException& exception : gpu.peak_exceptions) {
    const GpuField* field = find_gpu_field(exception.path);
    document.blocks.push_back(
        Paragraph{fmt::format("{} is not SMs × rate × clock: {}.",
                              field != nullptr ? field->label : exception.path, exception.reason)});
  }
  std::string also;
  for (const auto* names : {&gpu.aliases, &gpu.near_aliases}) {
    for (const std::string& name : *names) also += (also.empty() ? "" : ", ") + name;
  }
  if (!also.empty()) document.blocks.push_back(Paragraph{"Also known as " + also + "."});
  for (const std::string& note : gpu.notes) {
    document.blocks.push_back(Paragraph{"Note: " + note + ".", Tone::kFaint});
  }
  document.blocks.push_back(sources.table());
  return document;
}

Document gpu_numbers_document(const BoardView& board) {
  Table table;
  table.columns = {{"quantity", "quantity", Align::kLeft},
                   {"value", "value", Align::kRight},
                   {"how", "how", Align::kLeft},
                   {"source", "source", Align::kLeft},
                   {"note", "note", Align::kLeft}};
  for (const GpuField& field : gpu_fields()) {
    const MaybeFact& fact = field.read(*board.gpu);
    const std::string key(field.json_key);
    if (!fact) {
      table.rows.push_back({{key}, {presence(field, board) == Presence::kAbsent ? "0" : ""}});
      continue;
    }
    table.rows.push_back({{key},
                          {format_raw(fact->value)},
                          {std::string(word(fact->provenance))},
                          {fact->source},
                          {fact->note}});
  }
  return {{std::move(table)}};
}

Document compare_document(std::span<const BoardView> boards) {
  const Comparison comparison = compare_boards(boards);
  Document document;
  document.blocks.push_back(compare_table(boards, comparison));
  for (std::size_t i = 1; i < boards.size(); ++i) {
    const std::string& id = boards[i].gpu->id;
    const FormatChange& change = comparison.formats[i];
    if (const std::string worse = downgrade_list(comparison, i); !worse.empty()) {
      document.blocks.push_back(Paragraph{
          fmt::format("{} {} is behind {} in: {}.", kDowngrade, id, boards.front().gpu->id, worse),
          Tone::kBad});
    }
    if (change.gained.empty() && change.lost.empty()) continue;
    std::string text = fmt::format("Tensor-core formats of {}:", id);
    if (!change.gained.empty()) text += " gained " + upper_list(change.gained);
    if (!change.lost.empty()) {
      text += (change.gained.empty() ? " lost " : "; lost ") + upper_list(change.lost);
    }
    document.blocks.push_back(Paragraph{text + "."});
  }
  return document;
}

}  // namespace uplift::report
