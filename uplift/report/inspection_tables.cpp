// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/inspection_tables.hpp"

#include "uplift/report/recording_words.hpp"
#include "uplift/report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace uplift::report {
namespace {

/// What a table leaves out as too small to matter.
constexpr double kNegligible = 0.0005;
/// What it prints in strong letters.
constexpr double kLarge = 0.3;

Cell time_cell(double seconds) {
  return {format_seconds(seconds), Tone::kPlain, format_raw(seconds)};
}

Cell count_cell(double count) {
  const bool whole = count == std::floor(count) && count < 1e15;
  return {whole ? format_count(static_cast<std::int64_t>(count)) : format_number(count),
          Tone::kPlain, format_raw(count)};
}

Cell share_cell(double part, double whole) {
  const double share = whole > 0 ? part / whole : 0.0;
  return {share < kNegligible ? "·" : fmt::format("{:.1f} %", 100.0 * share),
          share >= kLarge ? Tone::kStrong : Tone::kPlain, format_raw(share)};
}

Cell unknown() { return {std::string(kUnknown), Tone::kFaint, ""}; }

std::string bar(double share) {
  constexpr double kLongest = 32;
  const double cells = std::clamp(share, 0.0, 1.0) * kLongest;
  std::string text;
  for (int i = 0; i < static_cast<int>(std::lround(cells)); ++i) text += "█";
  return text.empty() && share >= kNegligible ? "▏" : text;
}

std::string_view label(StepPart part) {
  switch (part) {
    case StepPart::kCompute:
      return "kernels";
    case StepPart::kComm:
      return "collectives alone";
    case StepPart::kCopy:
      return "waits for copies";
    case StepPart::kSync:
      return "idle: synchronisation";
    case StepPart::kLaunch:
      return "idle: launch";
    case StepPart::kHost:
      return "idle: waits for the host";
  }
  return "";
}

Tone tone(StepPart part, double share) {
  if (part == StepPart::kCompute) return Tone::kGood;
  constexpr double kNoticeable = 0.05;
  return share >= kNoticeable ? Tone::kBad : Tone::kPlain;
}

std::string how_exposed(const CopyFacts& copy) {
  if (copy.use.exposed.value() <= 0) return "hidden";
  if (copy.kind == CopyKind::kSet) return {};  // its place is the kernels' stream
  std::string why;
  const auto add = [&](bool holds, std::string_view reason) {
    if (holds) why += (why.empty() ? "" : ", ") + std::string(reason);
  };
  add(copy.pageable, "pageable");
  add(copy.synchronous, "host waits");
  add(copy.use.awaited && !copy.synchronous, "then a sync");
  add(copy.use.on_kernel_stream, "kernels' stream");
  return why.empty() ? "no kernel meanwhile" : why;
}

/// What times are of where they are not of one step's timeline.
std::string over_steps(const Inspection& inspection) {
  const std::int64_t steps = inspection.workload.steps;
  return steps > 1 ? fmt::format(", mean of {} steps", format_count(steps)) : std::string();
}

/// The rate that the bound is about: arithmetic where there is any, else DRAM.
Cell rate_cell(const KernelFacts& kernel) {
  if (kernel.flops_per_second && kernel.bound != Bound::kMemory && kernel.bound != Bound::kCache) {
    return {format_flop_rate(*kernel.flops_per_second)};
  }
  if (kernel.bytes_per_second) return {format_byte_rate(*kernel.bytes_per_second)};
  return unknown();
}

}  // namespace

Table step_table(const Inspection& inspection) {
  const StepTimeline& timeline = inspection.timeline;
  const double length = timeline.length.value();
  Table table;
  const auto counted = [](std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", format_count(count), noun, count == 1 ? "" : "s");
  };
  table.title = fmt::format(
      "{}{}: {}, {} on {}, {}", timeline.name.empty() ? "Whole recording" : timeline.name,
      inspection.workload.steps > 1 ? ", the step nearest the median" : "", format_seconds(length),
      counted(timeline.kernels, "kernel"), counted(timeline.streams, "stream"),
      counted(timeline.synchronisations, "synchronisation"));
  table.columns = {{"", "part", Align::kLeft},
                   {"time", "seconds"},
                   {"share", "share"},
                   {"", "bar", Align::kLeft}};
  for (const StepPart part : kStepParts) {
    const double seconds = timeline.part(part).value();
    const double share = length > 0 ? seconds / length : 0.0;
    if (seconds <= 0 && part != StepPart::kCompute) continue;
    table.rows.push_back({{std::string(label(part))},
                          time_cell(seconds),
                          share_cell(seconds, length),
                          {bar(share), tone(part, share)}});
  }
  return table;
}

Table finding_table(const Inspection& inspection) {
  Table table;
  table.title = inspection.workload.steps > 0
                    ? "What to change in the program, by what each change alone saves of a step "
                      "without the profiler"
                    : "What to change in the program, by what each change alone saves of the whole "
                      "recording, start-up included, without the profiler";
  table.columns = {
      {"change", "change", Align::kLeft},
      {"saves", "saved_seconds"},
      {"interval", "saved_interval"},
      {inspection.workload.steps > 0 ? "of the recorded step" : "of the recording", "saved_share"}};
  for (const Finding& finding : inspection.findings) {
    const Range& saved = finding.saved_seconds;
    table.rows.push_back(
        {{std::string(word(finding.change)), Tone::kStrong},
         {format_seconds(saved.predicted), Tone::kGood, format_raw(saved.predicted)},
         {format_seconds(saved.low) + " – " + format_seconds(saved.high)},
         share_cell(saved.predicted, inspection.source.step_seconds)});
  }
  return table;
}

Table class_table(const Inspection& inspection) {
  constexpr std::array kKernelBounds = {Bound::kCompute, Bound::kMemory, Bound::kCache,
                                        Bound::kLaunch, Bound::kComm};
  Table table;
  const bool bounds = inspection.source.gpu.has_value();
  table.title = fmt::format("Kernel time by class{}{}: {}", bounds ? " and what bounds it" : "",
                            over_steps(inspection), format_seconds(inspection.kernel_seconds));
  table.columns = {{"class", "class", Align::kLeft},
                   {"time", "seconds"},
                   {"share", "share"},
                   {"launches", "launches"}};
  if (bounds) {
    for (const Bound bound : kKernelBounds) {
      table.columns.push_back({std::string(word(bound)), fmt::format("{}_share", word(bound))});
    }
  }
  for (const ClassTime& time : inspection.classes) {
    std::vector<Cell> row = {{std::string(word(time.kernel_class))},
                             time_cell(time.seconds),
                             share_cell(time.seconds, inspection.kernel_seconds),
                             count_cell(time.launches)};
    for (const Bound bound : kKernelBounds) {
      if (!bounds) break;
      if (!time.seconds_by_bound || time.seconds <= 0) {
        row.push_back(unknown());
        continue;
      }
      const double share = (*time.seconds_by_bound)[static_cast<std::size_t>(bound)] / time.seconds;
      row.push_back({share < 0.005 ? "·" : fmt::format("{:.0f} %", 100.0 * share)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table copy_table(const Inspection& inspection) {
  constexpr std::size_t kMostRows = 6;
  Table table;
  table.title = "Copies and sets of the step";
  table.columns = {{"kind", "kind", Align::kLeft},
                   {"count", "count"},
                   {"size", "bytes"},
                   {"time", "seconds"},
                   {"exposed", "exposed_seconds"},
                   {"why", "why", Align::kLeft, true}};
  for (const CopyFacts& copy : inspection.copies) {
    if (table.rows.size() == kMostRows) break;
    const double exposed = copy.use.exposed.value();
    table.rows.push_back({{std::string(word(copy.kind))},
                          {format_count(copy.use.count)},
                          {format_bytes(copy.use.bytes.value())},
                          time_cell(copy.use.total.value()),
                          time_cell(exposed),
                          {how_exposed(copy)}});
  }
  return table;
}

Table stretch_table(const Inspection& inspection) {
  const StepTimeline& timeline = inspection.timeline;
  Table table;
  table.title = fmt::format("At the host's pace: {} kernels in {} stretch{}, {} ({} idle)",
                            format_count(timeline.stretch_kernels),
                            format_count(timeline.stretches), timeline.stretches == 1 ? "" : "es",
                            format_seconds(timeline.stretch_length.value()),
                            format_seconds(timeline.stretch_idle.value()));
  table.columns = {{"from", "start_seconds"},
                   {"time", "seconds"},
                   {"idle", "idle_seconds"},
                   {"kernels", "kernels"},
                   {"operators", "ops", Align::kLeft, true}};
  for (const LaunchStretch& stretch : timeline.longest) {
    std::string ops;
    for (std::string_view op : stretch.ops) {
      if (op.starts_with("aten::")) op.remove_prefix(6);
      ops += (ops.empty() ? "" : ", ") + std::string(op);
    }
    table.rows.push_back({time_cell(stretch.start.value()),
                          time_cell(stretch.length.value()),
                          time_cell(stretch.idle.value()),
                          {format_count(stretch.kernels)},
                          {ops}});
  }
  return table;
}

Table gpu_table(const Inspection& inspection) {
  Table table;
  table.title = "GPUs with kernels in the whole recording";
  table.columns = {{"GPU", "device"},
                   {"name", "name", Align::kLeft, true},
                   {"launches", "kernel_launches"},
                   {"streams", "streams"},
                   {"kernel time", "kernel_seconds"},
                   {"collectives", "collective_seconds"}};
  for (const GpuFacts& gpu : inspection.gpus) {
    table.rows.push_back({{fmt::format("{}", gpu.device)},
                          {gpu.name + (gpu.told ? " (this answer)" : "")},
                          gpu.kernels ? Cell{format_count(*gpu.kernels)} : unknown(),
                          gpu.streams ? Cell{fmt::format("{}", *gpu.streams)} : unknown(),
                          gpu.kernel_seconds ? time_cell(*gpu.kernel_seconds) : unknown(),
                          gpu.collective_seconds ? time_cell(*gpu.collective_seconds) : unknown()});
  }
  return table;
}

Table kernel_table(const Inspection& inspection, std::size_t rows) {
  rows = std::min(rows, inspection.kernels.size());
  Table table;
  table.title = fmt::format("Kernels that take the most time{} ({} of {})", over_steps(inspection),
                            rows, inspection.kernels.size());
  table.columns = {{"kernel", "kernel", Align::kLeft, true}, {"calls", "launches_per_step"},
                   {"per call", "launch_seconds"},           {"share", "share"},
                   {"bound", "bound", Align::kLeft},         {"rate", "rate"},
                   {"of sustained", "sustained_share"}};
  if (!inspection.source.gpu) table.columns.resize(4);
  bool from_time = false;
  for (std::size_t i = 0; i < rows; ++i) {
    const KernelFacts& kernel = inspection.kernels[i];
    std::vector<Cell> row = {{kernel_label(kernel.name, kernel.op, kernel.kernel_class)},
                             count_cell(kernel.launches_per_step),
                             time_cell(kernel.launch_seconds),
                             share_cell(kernel.seconds, inspection.kernel_seconds)};
    if (inspection.source.gpu) {
      row.push_back(kernel.bound ? Cell{std::string(word(*kernel.bound))} : unknown());
      row.push_back(rate_cell(kernel));
      row.push_back(kernel.sustained_share ? Cell{format_percent(*kernel.sustained_share)}
                                           : unknown());
      from_time |= kernel.basis == WorkBasis::kTime;
    }
    table.rows.push_back(std::move(row));
  }
  if (from_time) {
    table.notes.emplace_back(
        "Without a rate: no shape is recorded, so the work is known from the time alone.");
  }
  return table;
}

Table place_table(const Inspection& inspection, const std::vector<PlaceTime>& places,
                  const std::string& title, std::size_t rows) {
  constexpr double kLeastShare = 0.02;
  Table table;
  table.title = title + over_steps(inspection);
  table.columns = {{"", "name", Align::kLeft, true},
                   {"time", "seconds"},
                   {"share", "share"},
                   {"launches", "launches"}};
  const auto is_rest = [](const PlaceTime& place) {
    return place.depth == 0 && place.name.empty();
  };
  // What is under none of them always has its row.
  bool rest_to_come = std::any_of(places.begin(), places.end(), is_rest);
  std::size_t left_out = 0;
  double left_out_seconds = 0;
  bool nested = false;
  int left_out_depth = std::numeric_limits<int>::max();  // inside that, it is counted already
  for (const PlaceTime& place : places) {
    const bool rest = is_rest(place);
    const bool fits = table.rows.size() + (rest_to_come ? 1 : 0) < rows;
    if (!rest && (!fits || place.seconds < kLeastShare * inspection.kernel_seconds)) {
      ++left_out;
      if (place.depth <= left_out_depth) {
        left_out_seconds += place.seconds;
        nested |= place.depth > 0;
        left_out_depth = place.depth;
      }
      continue;
    }
    left_out_depth = std::numeric_limits<int>::max();
    if (rest) rest_to_come = false;
    const std::string indent(static_cast<std::size_t>(2 * place.depth), ' ');
    table.rows.push_back({{indent + (place.name.empty() ? "(none)" : place.name)},
                          time_cell(place.seconds),
                          share_cell(place.seconds, inspection.kernel_seconds),
                          count_cell(place.launches)});
  }
  if (left_out > 0) {
    table.notes.push_back(
        fmt::format("… {} more, {}{}", format_count(static_cast<std::int64_t>(left_out)),
                    share_cell(left_out_seconds, inspection.kernel_seconds).text,
                    nested ? " (what is inside a row above is counted there, too)" : ""));
  }
  // Only what is under none of them is nothing to tell.
  if (std::all_of(places.begin(), places.end(), [&](const PlaceTime& place) {
        return place.name.empty() || place.seconds < kLeastShare * inspection.kernel_seconds;
      })) {
    table.rows.clear();
    table.notes.clear();
  }
  return table;
}

}  // namespace uplift::report
