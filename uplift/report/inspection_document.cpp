// SPDX-License-Identifier: Apache-2.0
// The order of an inspection: the answer, what to do, what is not known, then the tables.
#include "uplift/report/inspection_document.hpp"

#include "uplift/report/inspection_tables.hpp"
#include "uplift/report/recording_words.hpp"
#include "uplift/report/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace uplift::report {
namespace {

/// The answer in a sentence: no card is worth more than this.
std::string what_a_gpu_could_change(const Inspection& inspection) {
  const InspectedSource& source = inspection.source;
  constexpr double kNoticeable = 0.01;
  const double step = source.step_seconds;
  const double floor = source.floor_seconds;
  const std::string whole =
      (inspection.workload.steps > 0 ? "the step of " : "the recorded ") + format_seconds(step);
  if (!inspection.workload.steps_whole) {
    return "The recording breaks off and no step in it is shown to be whole: what a faster GPU "
           "could "
           "change cannot be said, and step times, shares and savings below may be far off.";
  }
  const bool host_bound = !source.host_note.empty();
  const std::string_view then =
      host_bound ? " Profilers lengthen the host's work; time a step without one." : "";
  if (floor <= 0) return fmt::format("Nothing in {} holds a faster GPU back.", whole);
  if (floor > step * (1.0 - kNoticeable)) {
    return fmt::format("{} GPU could make {} noticeably shorter: the host sets its pace.{}",
                       host_bound ? "Under the profiler, no" : "No", whole, then);
  }
  return fmt::format(
      "{} faster GPU could change {} of {}: the host alone needs {}, so at most {}.{}",
      host_bound ? "Under the profiler, a" : "A", format_percent(1.0 - floor / step), whole,
      format_seconds(floor), format_ratio(step / floor), then);
}

std::string what_was_recorded(const Inspection& inspection) {
  std::string text = recording_sentence(inspection.workload, inspection.source.gpu_name);
  if (inspection.spread) {
    const std::string shortest = format_seconds(inspection.spread->shortest_seconds);
    const std::string longest = format_seconds(inspection.spread->longest_seconds);
    if (shortest != longest) text += fmt::format(" The steps take {} to {}.", shortest, longest);
  }
  return text + fmt::format(" The GPU is busy {} of the time.",
                            format_percent(inspection.source.gpu_busy_share));
}

void add_findings(const Inspection& inspection, Document& document) {
  if (inspection.findings.empty()) {
    document.blocks.emplace_back(
        Paragraph{"Nothing was found to change in the program that would save a noticeable part of "
                  "the step.",
                  Tone::kGood});
    return;
  }
  document.blocks.emplace_back(finding_table(inspection));
  for (const Finding& finding : inspection.findings) {
    document.blocks.emplace_back(Paragraph{
        fmt::format("{}: {}. To do: {}.", word(finding.change), finding.seen, finding.action)});
  }
}

void add_missing(const Inspection& inspection, Document& document) {
  if (inspection.missing.empty()) return;
  std::string text = "What the recording lacks: ";
  for (const Missing& missing : inspection.missing) {
    if (&missing != inspection.missing.data()) text += "; ";
    text += missing.what + " (" + missing.action + ")";
  }
  document.blocks.emplace_back(Paragraph{text + ".", Tone::kWarning});
}

/// Those of which add_missing has not said what to do.
void add_warnings(const Inspection& inspection, Document& document) {
  for (const std::string& warning : inspection.workload.warnings) {
    const bool told = std::any_of(
        inspection.missing.begin(), inspection.missing.end(),
        [&](const Missing& missing) { return warning.find(missing.action) != std::string::npos; });
    if (!told) document.blocks.emplace_back(Paragraph{"Note: " + warning + ".", Tone::kFaint});
  }
}

std::string formats_sentence(const FormatUse& use) {
  if (use.matrix_seconds <= 0) return {};
  std::string text =
      fmt::format("Formats of the matrix work ({}): ", format_seconds(use.matrix_seconds));
  for (const FormatTime& format : use.formats) {
    if (&format != use.formats.data()) text += ", ";
    text += fmt::format("{} {}", format.math ? word(*format.math) : "not told",
                        format_percent(format.seconds / use.matrix_seconds));
  }
  if (use.tensor_core_seconds) {
    text += fmt::format(". On tensor cores: {}",
                        format_percent(*use.tensor_core_seconds / use.matrix_seconds));
  }
  if (use.convertible_seconds && *use.convertible_seconds > 0) {
    text += fmt::format("; could be, besides: {}",
                        format_percent(*use.convertible_seconds / use.matrix_seconds));
  }
  return text + ".";
}

std::string collectives_sentence(const StepTimeline& timeline) {
  if (timeline.collectives.value() <= 0) return {};
  return fmt::format("Collectives take {} of the step, of it hidden under other kernels {} ({}).",
                     format_seconds(timeline.collectives.value()),
                     format_seconds(timeline.collectives_hidden.value()),
                     format_percent(timeline.collectives_hidden / timeline.collectives));
}

void add_sentence(const std::string& text, Document& document) {
  if (!text.empty()) document.blocks.emplace_back(Paragraph{text});
}

void add_table(Table table, Document& document) {
  if (!table.rows.empty()) document.blocks.emplace_back(std::move(table));
}

}  // namespace

Document inspection_document(const Inspection& inspection, std::size_t kernel_rows) {
  constexpr std::size_t kMostPlaces = 10;
  constexpr double kNoticeableStretches = 0.1;
  const StepTimeline& timeline = inspection.timeline;
  Document document;
  document.blocks.emplace_back(Paragraph{what_a_gpu_could_change(inspection), Tone::kStrong});
  document.blocks.emplace_back(Paragraph{what_was_recorded(inspection)});
  document.blocks.emplace_back(step_table(inspection));
  add_findings(inspection, document);
  add_missing(inspection, document);
  for (const std::string& note : inspection.source.notes) {
    document.blocks.emplace_back(Paragraph{"Note: " + note + ".", Tone::kFaint});
  }
  add_warnings(inspection, document);
  add_table(class_table(inspection), document);
  add_sentence(formats_sentence(inspection.formats), document);
  if (kernel_rows > 0) add_table(kernel_table(inspection, kernel_rows), document);
  add_table(place_table(inspection, inspection.modules, "Kernel time by module", 2 * kMostPlaces),
            document);
  add_table(place_table(inspection, inspection.module_types,
                        "Kernel time by type of the innermost module", kMostPlaces),
            document);
  add_table(
      place_table(inspection, inspection.annotations, "Kernel time by annotation", kMostPlaces),
      document);
  add_table(place_table(inspection, inspection.ops, "Kernel time by operator", kMostPlaces),
            document);
  add_table(copy_table(inspection), document);
  add_sentence(collectives_sentence(timeline), document);
  if (timeline.stretch_idle > timeline.length * kNoticeableStretches) {
    add_table(stretch_table(inspection), document);
  }
  if (inspection.gpus.size() > 1) add_table(gpu_table(inspection), document);
  return document;
}

Document inspection_kernels_document(const Inspection& inspection) {
  Table table;
  table.columns = {{"kernel", "kernel", Align::kLeft},
                   {"op", "op", Align::kLeft},
                   {"class", "class", Align::kLeft},
                   {"shape", "shape", Align::kLeft},
                   {"math", "math", Align::kLeft},
                   {"launches", "launches_per_step"},
                   {"per launch", "launch_seconds"},
                   {"per step", "step_seconds"},
                   {"share", "share"},
                   {"bound", "bound", Align::kLeft},
                   {"work from", "work_from", Align::kLeft},
                   {"DRAM", "dram_bytes"},
                   {"DRAM low", "dram_low_bytes"},
                   {"DRAM high", "dram_high_bytes"},
                   {"L2", "l2_bytes"},
                   {"L2 low", "l2_low_bytes"},
                   {"L2 high", "l2_high_bytes"},
                   {"arithmetic", "flops_per_second"},
                   {"traffic rate", "bytes_per_second"},
                   {"of sustained", "sustained_share"}};
  const auto raw = [](const std::optional<double>& value) {
    return Cell{value ? format_raw(*value) : std::string()};
  };
  const auto add_range = [&](const MaybeRange& range, std::vector<Cell>& row) {
    row.push_back(raw(range ? std::optional(range->predicted) : std::nullopt));
    row.push_back(raw(range ? std::optional(range->low) : std::nullopt));
    row.push_back(raw(range ? std::optional(range->high) : std::nullopt));
  };
  for (const KernelFacts& kernel : inspection.kernels) {
    std::vector<Cell> row = {{kernel.name},
                             {kernel.op},
                             {std::string(word(kernel.kernel_class))},
                             {kernel.shape},
                             {kernel.math ? std::string(word(*kernel.math)) : std::string()},
                             raw(kernel.launches_per_step),
                             raw(kernel.launch_seconds),
                             raw(kernel.seconds),
                             raw(kernel.share),
                             {kernel.bound ? std::string(word(*kernel.bound)) : std::string()},
                             {kernel.basis ? std::string(word(*kernel.basis)) : std::string()}};
    add_range(kernel.dram_bytes, row);
    add_range(kernel.l2_bytes, row);
    row.push_back(raw(kernel.flops_per_second));
    row.push_back(raw(kernel.bytes_per_second));
    row.push_back(raw(kernel.sustained_share));
    table.rows.push_back(std::move(row));
  }
  return Document{{std::move(table)}};
}

}  // namespace uplift::report
