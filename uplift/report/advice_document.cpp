// SPDX-License-Identifier: Apache-2.0
// Draws an Advice as headings, sentences and tables. It computes nothing but percentages.
#include "uplift/report/advice_document.hpp"

#include "uplift/report/recording_words.hpp"
#include "uplift/report/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace uplift::report {
namespace {

Cell number(std::string text, double raw) {
  return {std::move(text), Tone::kPlain, format_raw(raw)};
}

Cell unknown() { return {std::string(kUnknown), Tone::kFaint, ""}; }

Tone tone(Decision decision) {
  switch (decision) {
    case Decision::kUpgradeNow:
      return Tone::kGood;
    case Decision::kEvaluate:
      return Tone::kWarning;
    case Decision::kHold:
      return Tone::kBad;
    case Decision::kCannotSay:
      return Tone::kFaint;
  }
  return Tone::kPlain;
}

Tone tone_of_ratio(double ratio) {
  constexpr double kNotable = 1.1;
  if (ratio >= kNotable) return Tone::kGood;
  return ratio <= 1.0 / kNotable ? Tone::kBad : Tone::kPlain;
}

std::string interval(const std::string& low, const std::string& high) { return low + " – " + high; }

std::string source_label(const Advice& advice) {
  return advice.source.gpu ? *advice.source.gpu + " (now)" : "now";
}

Table verdict_table(const Advice& advice) {
  Table table;
  table.columns = {{"GPU", "gpu", Align::kLeft},
                   {"step", "step_seconds"},
                   {"90 % interval", "step_seconds_interval"},
                   {"speedup", "speedup"},
                   {"90 %", "speedup_interval"},
                   {"verdict", "verdict", Align::kLeft},
                   {"basis", "basis", Align::kLeft}};
  if (advice.source.step_seconds) {
    table.rows.push_back(
        {{source_label(advice)},
         number(format_seconds(*advice.source.step_seconds), *advice.source.step_seconds),
         {"measured", Tone::kFaint},
         number("1.00×", 1.0),
         {""},
         {""},
         {advice.source.basis.value_or(""), Tone::kFaint}});
  }
  for (const TargetAdvice& target : advice.targets) {
    std::vector<Cell> row = {{target.gpu}};
    if (target.step_seconds) {
      const Range& step = *target.step_seconds;
      row.push_back(number(format_seconds(step.predicted), step.predicted));
      row.push_back({interval(format_seconds(step.low), format_seconds(step.high))});
    } else {
      row.insert(row.end(), 2, unknown());
    }
    if (target.speedup) {
      const Range& speedup = *target.speedup;
      row.push_back({format_ratio(speedup.predicted), tone_of_ratio(speedup.predicted),
                     format_raw(speedup.predicted)});
      row.push_back({interval(format_ratio(speedup.low), format_ratio(speedup.high))});
    } else {
      row.insert(row.end(), 2, unknown());
    }
    row.push_back({std::string(word(target.verdict.decision)), tone(target.verdict.decision)});
    row.push_back({target.basis, Tone::kFaint});
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<Cell> bound_row(std::string label, const BoundSeconds& parts, double whole) {
  std::vector<Cell> row = {{std::move(label)}};
  for (const double part : parts) {
    const double share = whole > 0 ? part / whole : 0.0;
    row.push_back({share < 0.0005 ? "·" : fmt::format("{:.0f} %", 100.0 * share),
                   share >= 0.3 ? Tone::kStrong : Tone::kPlain, format_raw(part)});
  }
  return row;
}

Table bound_table(const Advice& advice) {
  Table table;
  table.title = "What the step is bound by, share of its time";
  table.columns = {{"GPU", "gpu", Align::kLeft}};
  for (const Bound bound : kBounds) {
    table.columns.push_back({std::string(word(bound)), fmt::format("{}_seconds", word(bound))});
  }
  if (advice.source.step_seconds) {
    table.rows.push_back(bound_row(source_label(advice), advice.source.seconds_by_bound,
                                   *advice.source.step_seconds));
  }
  for (const TargetAdvice& target : advice.targets) {
    if (!target.step_seconds) continue;
    table.rows.push_back(
        bound_row(target.gpu, target.seconds_by_bound, target.step_seconds->predicted));
  }
  return table;
}

Table dimension_table(const Advice& advice) {
  Table table;
  table.title = "Where the speedup comes from: factors that multiply to it";
  table.columns = {{"GPU", "gpu", Align::kLeft}};
  for (const Dimension dimension : kDimensions) {
    table.columns.push_back(
        {std::string(word(dimension)), fmt::format("{}_factor", word(dimension))});
  }
  table.columns.push_back({"rest", "unattributed"});
  for (const TargetAdvice& target : advice.targets) {
    if (!target.speedup) continue;
    std::vector<Cell> row = {{target.gpu}};
    for (const DimensionFactor& factor : target.dimensions) {
      row.push_back(factor.factor ? Cell{format_ratio(*factor.factor),
                                         tone_of_ratio(*factor.factor), format_raw(*factor.factor)}
                                  : unknown());
    }
    row.push_back(number(format_ratio(target.unattributed), target.unattributed));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string memory_sentence(const TargetAdvice& target) {
  const MemoryFit& memory = target.memory;
  if (!memory.available_bytes) return {};
  if (!memory.needed_bytes) {
    return fmt::format("memory {}, need not recorded", format_bytes(*memory.available_bytes));
  }
  return fmt::format("memory {} of {}: {}", format_bytes(*memory.needed_bytes),
                     format_bytes(*memory.available_bytes),
                     memory.fits.value_or(false) ? "fits" : "does not fit");
}

std::string naive_sentence(const TargetAdvice& target) {
  std::string text;
  if (target.bandwidth_ratio) text += format_ratio(*target.bandwidth_ratio) + " by bandwidth";
  if (target.peak_ratio) {
    if (!text.empty()) text += ", ";
    text += format_ratio(*target.peak_ratio) + " by peak";
  }
  return text.empty() ? text : "data sheets alone would say " + text;
}

/// Why the verdict, per card, in one paragraph each.
void add_reasons(const Advice& advice, Document& document) {
  for (const TargetAdvice& target : advice.targets) {
    std::vector<std::string> sentences = target.verdict.reasons;
    sentences.push_back(memory_sentence(target));
    sentences.push_back(naive_sentence(target));
    sentences.insert(sentences.end(), target.notes.begin(), target.notes.end());
    std::string text = fmt::format("{}: {}", target.gpu, word(target.verdict.decision));
    char separator = ':';
    for (const std::string& sentence : sentences) {
      if (sentence.empty()) continue;
      text += separator == ':' ? ": " : "; ";
      separator = ';';
      text += sentence;
    }
    document.blocks.emplace_back(Paragraph{text + "."});
  }
}

std::string unchangeable(const Advice& advice) {
  const SourceFacts& source = advice.source;
  if (!source.floor_seconds || !source.step_seconds || !source.gpu_busy_share) return {};
  const double floor = std::min(*source.floor_seconds, *source.step_seconds);
  std::string text =
      fmt::format("The GPU is busy {} of the step. ", format_percent(*source.gpu_busy_share));
  if (floor <= 0) return text + "Nothing in the recording holds a faster GPU back.";
  return text + fmt::format("However fast the GPU, the step takes at least {} ({}): at most {}.",
                            format_seconds(floor), format_percent(floor / *source.step_seconds),
                            format_ratio(*source.step_seconds / floor));
}

/// `a100` for `a100-sxm4-80gb` where no other target starts alike: ids are longer than their
/// numbers.
std::string short_id(const Advice& advice, const std::string& id) {
  for (std::size_t end = id.find('-'); end != std::string::npos; end = id.find('-', end + 1)) {
    std::string head = id.substr(0, end);
    const auto alike = std::count_if(
        advice.targets.begin(), advice.targets.end(),
        [&](const TargetAdvice& target) { return (target.gpu + "-").starts_with(head + "-"); });
    if (alike == 1 && head.find_first_of("0123456789") != std::string::npos) return head;
  }
  return id;
}

Table kernel_table(const Advice& advice, std::size_t rows) {
  Table table;
  table.columns = {{"kernel", "kernel", Align::kLeft, true},
                   {"calls", "launches_per_step"},
                   {"now", "source_seconds"}};
  for (const TargetAdvice& target : advice.targets) {
    table.columns.push_back({short_id(advice, target.gpu), fmt::format("{}_seconds", target.gpu)});
  }
  const auto known =
      std::find_if(advice.targets.begin(), advice.targets.end(),
                   [](const TargetAdvice& target) { return !target.kernels.empty(); });
  if (known == advice.targets.end()) return table;
  const auto& kernels = known->kernels;
  rows = std::min(rows, kernels.size());
  table.title =
      fmt::format("Kernels that take the most time ({} of {}), per launch", rows, kernels.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const KernelAdvice& kernel = kernels[i];
    std::vector<Cell> row = {
        {kernel_label(kernel.name, kernel.op, kernel.kernel_class)},
        number(format_number(kernel.launches_per_step), kernel.launches_per_step),
        number(format_seconds(kernel.source_seconds), kernel.source_seconds)};
    for (const TargetAdvice& target : advice.targets) {
      if (target.kernels.empty()) {
        row.push_back(unknown());
        continue;
      }
      const double seconds = target.kernels[i].target_seconds.predicted;
      row.push_back({format_seconds(seconds), tone_of_ratio(kernel.source_seconds / seconds),
                     format_raw(seconds)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Document advice_brief_document(const Advice& advice) {
  Document document;
  document.blocks.emplace_back(
      Paragraph{recording_sentence(advice.workload,
                                   advice.source.gpu ? advice.source.gpu_name : std::string()) +
                    " " + unchangeable(advice),
                Tone::kStrong});
  document.blocks.emplace_back(verdict_table(advice));
  return document;
}

Document advice_document(const Advice& advice, std::size_t kernel_rows) {
  Document document = advice_brief_document(advice);
  document.blocks.emplace_back(bound_table(advice));
  document.blocks.emplace_back(dimension_table(advice));
  add_reasons(advice, document);
  for (const std::string& note : advice.source.notes) {
    document.blocks.emplace_back(Paragraph{"Note: " + note + ".", Tone::kFaint});
  }
  if (kernel_rows > 0 && !advice.targets.empty()) {
    document.blocks.emplace_back(kernel_table(advice, kernel_rows));
  }
  return document;
}

Document advice_kernels_document(const Advice& advice) {
  Table table;
  table.columns = {{"gpu", "gpu", Align::kLeft},
                   {"kernel", "kernel", Align::kLeft},
                   {"op", "op", Align::kLeft},
                   {"class", "class", Align::kLeft},
                   {"shape", "shape", Align::kLeft},
                   {"math", "source_math", Align::kLeft},
                   {"target math", "target_math", Align::kLeft},
                   {"launches", "launches_per_step"},
                   {"source", "source_seconds"},
                   {"target", "target_seconds"},
                   {"low", "low_seconds"},
                   {"high", "high_seconds"},
                   {"source bound", "source_bound", Align::kLeft},
                   {"bound", "bound", Align::kLeft}};
  const auto raw = [](double value) { return number(format_raw(value), value); };
  for (const TargetAdvice& target : advice.targets) {
    for (const KernelAdvice& kernel : target.kernels) {
      table.rows.push_back({{target.gpu},
                            {kernel.name},
                            {kernel.op},
                            {std::string(word(kernel.kernel_class))},
                            {kernel.shape},
                            {kernel.source_math ? std::string(word(*kernel.source_math)) : ""},
                            {std::string(word(kernel.target_math))},
                            raw(kernel.launches_per_step),
                            raw(kernel.source_seconds),
                            raw(kernel.target_seconds.predicted),
                            raw(kernel.target_seconds.low),
                            raw(kernel.target_seconds.high),
                            {std::string(word(kernel.source_bound))},
                            {std::string(word(kernel.target_bound))}});
    }
  }
  return {{table}};
}

}  // namespace uplift::report
