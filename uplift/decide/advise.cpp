// SPDX-License-Identifier: Apache-2.0
// Resolves the cards, predicts each target, and says in words what went into it.
#include "uplift/decide/advise.hpp"

#include "uplift/decide/source_card.hpp"
#include "uplift/decide/verdict.hpp"
#include "uplift/predict/step_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace uplift::decide {
namespace {

using predict::Card;

SourceFacts describe_source(const Workload& workload, const Card& source,
                            const predict::StepPrediction& on_itself) {
  SourceFacts facts;
  facts.gpu = source.gpu->id;
  facts.gpu_name = source.gpu->name;
  facts.basis = std::string(word(source.model.basis));
  facts.step_seconds = workload.step_length.value();
  facts.gpu_busy_share = workload.busy / workload.step_length;
  for (const DistinctKernel& kernel : workload.kernels) {
    facts.seconds_by_class[static_cast<std::size_t>(kernel.kernel_class)] +=
        kernel.total.value() / workload.step_count();
  }
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    facts.seconds_by_bound[i] = on_itself.source_by_bound[i].value();
  }
  facts.floor_seconds = predict::floor_of(workload).value();
  if (!source.note.empty()) facts.notes.push_back(source.note);
  if (auto note = note_host_bound(Seconds(*facts.floor_seconds), workload.step_length);
      !note.empty()) {
    facts.notes.push_back(std::move(note));
  }
  if (auto note = note_replay(on_itself.replay_scale); !note.empty()) {
    facts.notes.push_back(std::move(note));
  }
  return facts;
}

/// Formats that run differently on the target, with their share of the source's kernel time.
void note_formats(const Workload& workload, const predict::StepPrediction& prediction,
                  TargetAdvice& target) {
  double whole = 0;
  std::map<std::pair<Math, Math>, double> changed;
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    const DistinctKernel& kernel = workload.kernels[i];
    whole += kernel.total.value();
    if (prediction.kernels[i].math_changed && kernel.math) {
      changed[{*kernel.math, prediction.kernels[i].target_math}] += kernel.total.value();
    }
  }
  for (const auto& [formats, seconds] : changed) {
    const auto [from, to] = formats;
    const double share = 100.0 * seconds / whole;
    if (from == Math::kFp32 && to == Math::kTf32) {
      target.notes.push_back(
          fmt::format("FP32 convolutions ({:.0f} % of kernel time) run in TF32 here by PyTorch's "
                      "default (torch.backends.cudnn.allow_tf32)",
                      share));
    } else if (from == Math::kFp8) {
      target.notes.push_back(
          fmt::format("this card has no FP8: the program does not run as is; predicted as {} "
                      "({:.0f} % of kernel "
                      "time)",
                      word(to), share));
    } else {
      target.notes.push_back(fmt::format("this card runs {} work in {} ({:.0f} % of kernel time)",
                                         word(from), word(to), share));
    }
  }
}

/// What a profile of the target would do to the interval, if it is worth saying.
void note_profile(const Card& source, const Card& target, const predict::StepPrediction& prediction,
                  TargetAdvice& advice) {
  constexpr double kNoticeable = 0.95;
  if (target.model.basis == predict::Basis::kMeasured || source.gpu == target.gpu) return;
  const double now = std::log(prediction.high / prediction.low);
  const double then = std::log(prediction.profiled_high / prediction.profiled_low);
  if (!(then < kNoticeable * now)) return;
  advice.notes.push_back(fmt::format(
      "a profile measured on this card (--profile) would narrow {:.2f}×–{:.2f}× to about "
      "{:.2f}×–{:.2f}×",
      advice.speedup->low, advice.speedup->high, prediction.source / prediction.profiled_high,
      prediction.source / prediction.profiled_low));
}

std::string change(double from, double to, double scale, std::string_view unit) {
  // Three significant digits, never an exponent.
  const auto digits = [&](double value) {
    value /= scale;
    return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
  };
  return fmt::format("{} → {} {}", digits(from), digits(to), unit);
}

std::string dimension_note(Dimension dimension, const Card& source, const Card& target, Math math) {
  switch (dimension) {
    case Dimension::kTensor:
      return fmt::format(
          "{} sustained {}; {:.0f} → {:.0f} SMs", word(math),
          change(source.model.tensor.sustained[index(math)].value(),
                 target.model.tensor.sustained[index(math)].value(), 1e12, "TFLOP/s"),
          source.model.tensor.sm_count, target.model.tensor.sm_count);
    case Dimension::kMemory:
      return "DRAM stream " + change(source.model.memory.stream.value(),
                                     target.model.memory.stream.value(), 1e9, "GB/s");
    case Dimension::kCache:
      return "L2 " + change(source.model.cache.l2.value(), target.model.cache.l2.value(),
                            1024.0 * 1024.0, "MiB");
    case Dimension::kCopy:
      return "host link " +
             change(source.model.copy.host_pinned.value(), target.model.copy.host_pinned.value(),
                    1e9, "GB/s") +
             "; launch and host gaps kept";
    case Dimension::kMig:
    case Dimension::kSparsity:
    case Dimension::kEnergy:
      return "not modelled yet";
  }
  return {};
}

/// The format that takes the most kernel time among GEMMs, convolutions and attention; FP32 without
/// any.
Math main_format(const Workload& workload) {
  std::array<double, kMaths.size()> seconds{};
  for (const DistinctKernel& kernel : workload.kernels) {
    const bool arithmetic = kernel.kernel_class == KernelClass::kGemm ||
                            kernel.kernel_class == KernelClass::kConv ||
                            kernel.kernel_class == KernelClass::kAttention;
    if (arithmetic && kernel.math) seconds[index(*kernel.math)] += kernel.total.value();
  }
  const auto most = std::max_element(seconds.begin(), seconds.end());
  return *most > 0 ? kMaths[static_cast<std::size_t>(most - seconds.begin())] : Math::kFp32;
}

void describe_dimensions(const Workload& workload, const Card& source, const Card& target,
                         const predict::Parameters& parameters, TargetAdvice& advice) {
  const auto factors =
      predict::attribute_speedup(workload, source.input(), target.model, parameters);
  const Math math = main_format(workload);
  double product = 1;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    DimensionFactor factor{kDimensions[i], std::nullopt,
                           dimension_note(kDimensions[i], source, target, math)};
    if (predict::is_modelled(kDimensions[i])) {
      factor.factor = factors[i];
      product *= factors[i];
    }
    advice.dimensions.push_back(std::move(factor));
  }
  advice.unattributed = advice.speedup->predicted / product;
}

void describe_kernels(const Workload& workload, const predict::StepPrediction& prediction,
                      TargetAdvice& advice) {
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    const DistinctKernel& kernel = workload.kernels[i];
    const predict::Transfer& transfer = prediction.kernels[i];
    const double seconds = transfer.target.value();
    const double width = std::exp(transfer.log_half_width);
    KernelAdvice row;
    row.name = kernel.name;
    row.op = kernel.op;
    row.kernel_class = kernel.kernel_class;
    row.shape = render_shape(kernel.shape);
    row.launches_per_step = static_cast<double>(kernel.launches) / workload.step_count();
    row.source_seconds = kernel.mean().value();
    row.target_seconds = {seconds, seconds / width, seconds * width};
    row.source_bound = transfer.source_bound;
    row.target_bound = transfer.target_bound;
    row.source_math = kernel.math;
    row.target_math = transfer.target_math;
    row.math_changed = transfer.math_changed;
    advice.kernels.push_back(std::move(row));
  }
}

std::optional<double> ratio(const MaybeFact& target, const MaybeFact& source) {
  if (!target || !source || source->value <= 0) return std::nullopt;
  return target->value / source->value;
}

TargetAdvice advise_target(const Workload& workload, const Card& source, const Card& target,
                           const SourceFacts& facts, const predict::Parameters& parameters) {
  TargetAdvice advice;
  advice.gpu = target.gpu->id;
  advice.gpu_name = target.gpu->name;
  advice.basis = word(target.model.basis);
  if (!target.note.empty()) advice.notes.push_back(target.note);
  if (!target.gpu->last_cuda_toolkit.empty()) {
    advice.notes.push_back(fmt::format("CUDA {} is the last toolkit that supports this card",
                                       target.gpu->last_cuda_toolkit));
  }
  const auto prediction =
      predict::predict_step(workload, source.input(), target.input(), parameters);
  const Range step{prediction.predicted.value(), prediction.low.value(), prediction.high.value()};
  const double measured = prediction.source.value();
  advice.step_seconds = step;
  advice.speedup = Range{measured / step.predicted, measured / step.high, measured / step.low};
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    advice.seconds_by_bound[i] = prediction.target_by_bound[i].value();
  }
  const Math math = main_format(workload);
  advice.bandwidth_ratio = ratio(target.gpu->dram_bandwidth, source.gpu->dram_bandwidth);
  advice.peak_ratio =
      ratio(target.gpu->dense_peak[index(math)], source.gpu->dense_peak[index(math)]);
  note_formats(workload, prediction, advice);
  note_profile(source, target, prediction, advice);
  describe_dimensions(workload, source, target, parameters, advice);
  if (workload.memory_reserved) advice.memory.needed_bytes = workload.memory_reserved->value();
  const MaybeFact& memory = target.gpu->memory_visible_bytes ? target.gpu->memory_visible_bytes
                                                             : target.gpu->memory_bytes;
  if (memory) advice.memory.available_bytes = memory->value;
  if (advice.memory.needed_bytes && advice.memory.available_bytes) {
    advice.memory.fits = *advice.memory.needed_bytes <= *advice.memory.available_bytes;
  }
  describe_kernels(workload, prediction, advice);
  advice.verdict = judge(facts, advice);
  if (!workload.recording.steps_whole) {
    advice.verdict = {};
    advice.verdict.reasons = {
        "the recording breaks off and no step in it is shown to be whole, so the step that was "
        "predicted may lack most of its work"};
  }
  return advice;
}

/// A target as it was asked for: a card, or why there is none.
struct Candidate {
  const Gpu* gpu = nullptr;
  Result<Card> card;
};

Result<Card> build_card(const catalog::Resolution& resolved, const AdviseRequest& request,
                        const predict::Parameters& parameters) {
  return predict::build_card(*resolved.gpu, resolved.note, request.basis, parameters,
                             find_profile(request.profiles, *resolved.gpu));
}

/// The answer for a board without the numbers that a prediction needs.
TargetAdvice cannot_say(const Gpu& gpu, const Error& error) {
  TargetAdvice advice;
  advice.gpu = gpu.id;
  advice.gpu_name = gpu.name;
  advice.basis = word(predict::Basis::kDatasheet);
  for (const Dimension dimension : kDimensions) {
    advice.dimensions.push_back({dimension, std::nullopt, "cannot be said"});
  }
  advice.verdict.decision = Decision::kCannotSay;
  advice.verdict.reasons = {error.seen, error.advice};
  return advice;
}

}  // namespace

Result<Advice> advise(const Workload& workload, const AdviseRequest& request,
                      const catalog::Catalog& catalog, const predict::Parameters& parameters) {
  if (request.to.empty()) {
    return failure(ErrorKind::kUsage, "", "no target card", "name one or more with --to");
  }
  // Names first: a misspelt one should not cost the reading of anything.
  std::vector<Candidate> targets;
  for (const std::string& name : request.to) {
    auto resolved = catalog.resolve(name);
    if (!resolved) return failure(resolved.error());
    const bool repeated = std::any_of(targets.begin(), targets.end(), [&](const Candidate& known) {
      return known.gpu == resolved->gpu;
    });
    if (repeated) continue;
    targets.push_back({resolved->gpu, build_card(*resolved, request, parameters)});
  }
  const bool any_card = std::any_of(targets.begin(), targets.end(),
                                    [](const Candidate& known) { return known.card.has_value(); });
  if (!any_card) return failure(targets.front().card.error());
  auto resolved = resolve_source(workload, request.from, request.path, catalog);
  if (!resolved) return failure(resolved.error());
  auto source = build_card(*resolved, request, parameters);
  if (!source) return failure(source.error());

  Advice advice;
  advice.workload = describe_workload(workload);
  if (request.from) {
    auto note = note_other_card(workload, *source->gpu, catalog);
    if (!note.empty()) advice.workload.warnings.push_back(std::move(note));
  }
  advice.source = describe_source(
      workload, *source,
      predict::predict_step(workload, source->input(), source->input(), parameters));
  for (const Candidate& target : targets) {
    advice.targets.push_back(
        target.card ? advise_target(workload, *source, *target.card, advice.source, parameters)
                    : cannot_say(*target.gpu, target.card.error()));
  }
  return advice;
}

}  // namespace uplift::decide
