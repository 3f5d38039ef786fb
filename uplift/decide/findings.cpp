// SPDX-License-Identifier: Apache-2.0
// Each finding: is there anything to change, what would it save (predict/step_savings), in words.
#include "uplift/decide/findings.hpp"

#include "uplift/decide/amounts.hpp"
#include "uplift/decide/stack_times.hpp"
#include "uplift/predict/step_savings.hpp"
#include "uplift/predict/step_timeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

namespace uplift::decide {
namespace {

constexpr std::string_view kAten = "aten::";  // before most operators, and no help

Finding finding(Change change, const predict::Saving& saving, std::string seen,
                std::string action) {
  return {change,
          {saving.predicted.value(), saving.low.value(), saving.high.value()},
          std::move(seen),
          std::move(action)};
}

std::string of_step(Seconds part, const StepTimeline& timeline) {
  return fmt::format("{} ({} of the {})", time_text(part.value()),
                     share_text(part / timeline.length),
                     timeline.name.empty() ? "recording" : "step");
}

bool is_blocking_read(const StepEvent& event, const Workload& workload) {
  return predict::blocks_host(event, workload) &&
         workload.copies[static_cast<std::size_t>(event.item)].kind == CopyKind::kDeviceToHost;
}

/// `; asked for in A / B, C`: the places of the events that `chosen` picks, at most three.
template <class Chosen>
std::string asked_for_in(const Workload& workload, const Chosen& chosen) {
  constexpr std::size_t kMostPlaces = 3;
  std::vector<std::string> places;
  for (const StepEvent& event : workload.step.events) {
    if (places.size() == kMostPlaces || !chosen(event)) continue;
    std::string place = place_of(workload, event.frame);
    if (!place.empty() && std::find(places.begin(), places.end(), place) == places.end()) {
      places.push_back(std::move(place));
    }
  }
  return places.empty() ? "" : fmt::format("; asked for in {}", fmt::join(places, ", "));
}

std::optional<Finding> find_overlap(const Workload& workload, const StepTimeline& timeline,
                                    const predict::Card* card,
                                    const predict::StepSavings& savings) {
  CopyUse sum;
  bool pageable = false;
  std::set<std::size_t> changed;
  for (const CopyUse& use : timeline.copies) {
    const DistinctCopy& copy = workload.copies[use.item];
    if (!predict::is_prefetchable(use, copy)) continue;
    changed.insert(use.item);
    sum.count += use.count;
    sum.bytes += use.bytes;
    sum.exposed += use.exposed;
    sum.blocks_host |= use.blocks_host || use.awaited;
    sum.on_kernel_stream |= use.on_kernel_stream;
    pageable |= copy.pageable;
  }
  if (sum.count == 0) return std::nullopt;
  std::string why;
  const auto add = [&](bool holds, std::string_view reason) {
    if (holds) why += (why.empty() ? "" : ", ") + std::string(reason);
  };
  add(pageable, "pageable memory");
  add(sum.on_kernel_stream, "the kernels' stream");
  add(sum.blocks_host, "the host waits");
  return finding(
      Change::kOverlap, savings.by_prefetch(timeline, card == nullptr ? nullptr : &card->model),
      fmt::format("{} from the host ({}) {} up the kernels for {}: {}",
                  count_text(sum.count, "copy", "copies"), bytes_text(sum.bytes.value()),
                  sum.count == 1 ? "holds" : "hold", of_step(sum.exposed, timeline), why) +
          asked_for_in(workload,
                       [&](const StepEvent& event) {
                         return event.kind == EventKind::kCopy && event.item >= 0 &&
                                changed.contains(static_cast<std::size_t>(event.item));
                       }),
      "pin the memory (pin_memory=True) and copy the next batch with non_blocking=True on a second "
      "stream");
}

/// Whether the replay knows when most kernels were launched.
bool launches_are_known(const Workload& workload) {
  std::int64_t kernels = 0;
  std::int64_t unlinked = 0;
  for (const StepEvent& event : workload.step.events) {
    if (event.kind != EventKind::kKernel) continue;
    ++kernels;
    unlinked += predict::has_call(event) ? 0 : 1;
  }
  return 2 * unlinked <= kernels;
}

std::optional<Finding> find_graphs(const Workload& workload, const StepTimeline& timeline,
                                   const predict::StepSavings& savings) {
  // Start-up cannot be a graph.
  if (workload.steps == 0 || !launches_are_known(workload)) return std::nullopt;
  const Seconds waits = timeline.part(StepPart::kLaunch) + timeline.part(StepPart::kHost);
  const bool is_graph = 2 * timeline.graph_kernels > timeline.kernels;
  if (waits.value() <= 0 || is_graph) return std::nullopt;
  std::string seen =
      fmt::format("the GPU waits for the host's launches for {}", of_step(waits, timeline));
  if (!timeline.longest.empty()) {
    const LaunchStretch& longest = timeline.longest.front();
    seen += fmt::format(
        "; {} of {} kernels run at the host's pace (in stretches of three or more), longest "
        "stretch: {} kernels in {}",
        timeline.stretch_kernels, timeline.kernels, longest.kernels,
        time_text(longest.length.value()));
    std::string ops;
    for (const std::string& op : longest.ops) {
      const std::string_view name = op;
      ops += ops.empty() ? "" : ", ";
      ops += name.starts_with(kAten) ? name.substr(kAten.size()) : name;
    }
    if (!ops.empty()) seen += fmt::format(" ({})", ops);
  }
  return finding(Change::kGraphs, savings.by_graphs(), std::move(seen),
                 "run the step as a CUDA graph (torch.compile(mode=\"reduce-overhead\") or "
                 "torch.cuda.graph), or make fewer, larger kernels: bigger batch, fused optimizer");
}

/// How long the host is inside the calls that by_not_waiting releases.
Seconds held_in_waits(const Workload& workload) {
  Seconds held;
  for (const StepEvent& event : workload.step.events) {
    const bool waits = event.kind == EventKind::kSync || is_blocking_read(event, workload);
    if (waits && predict::has_call(event))
      held += from_nanoseconds(event.host_end - event.host_start);
  }
  return held;
}

std::optional<Finding> find_waits(const Workload& workload, const StepTimeline& timeline,
                                  const predict::StepSavings& savings) {
  std::int64_t blocking = 0;
  for (const CopyUse& use : timeline.copies) {
    if (workload.copies[use.item].kind == CopyKind::kDeviceToHost && use.blocks_host) {
      blocking += use.count;
    }
  }
  if (timeline.synchronisations + blocking == 0) return std::nullopt;
  std::string seen = count_text(timeline.synchronisations, "synchronisation");
  if (blocking > 0) {
    seen += " and " + count_text(blocking, "blocking copy", "blocking copies") + " to the host";
  }
  seen += fmt::format(" {} the host from running ahead; the GPU runs dry at {} for {}",
                      timeline.synchronisations + blocking == 1 ? "keeps" : "keep",
                      timeline.synchronisations + blocking == 1 ? "it" : "them",
                      of_step(timeline.part(StepPart::kSync), timeline));
  const predict::Saving saving = savings.by_not_waiting();
  constexpr double kUnexplained = 1.5;
  if (saving.predicted > timeline.part(StepPart::kSync) * kUnexplained) {
    seen += fmt::format(
        "; the host is held in {} for {}, in which it could prepare what the GPU waits for later",
        timeline.synchronisations + blocking == 1 ? "it" : "them",
        time_text(held_in_waits(workload).value()));
  }
  seen += asked_for_in(workload, [&](const StepEvent& event) {
    return event.kind == EventKind::kSync || is_blocking_read(event, workload);
  });
  return finding(Change::kNoSync, saving, std::move(seen),
                 "read results (.item(), .cpu(), print) every N steps or one step late, and drop "
                 "torch.cuda.synchronize()");
}

std::optional<Finding> find_format(const Workload& workload, Math math, const predict::Card& card,
                                   const predict::StepSavings& savings) {
  Seconds matrix;
  bool any_fp32 = false;
  bool any_tf32 = false;
  for (const DistinctKernel& kernel : workload.kernels) {
    if (!predict::is_reformattable(kernel, math, card.model)) continue;
    matrix += kernel.total;
    (*kernel.math == Math::kTf32 ? any_tf32 : any_fp32) = true;
  }
  if (matrix.value() <= 0) return std::nullopt;
  const double seconds = matrix.value() / workload.step_count();
  const predict::Saving saving = savings.by_format(math, card.model);
  if (math == Math::kTf32) {
    return finding(Change::kTf32, saving,
                   fmt::format("{} of matrix work runs in FP32 on CUDA cores", time_text(seconds)),
                   "allow TF32: torch.set_float32_matmul_precision(\"high\"), and "
                   "torch.backends.cudnn.allow_tf32 = True for convolutions");
  }
  const bool bf16 = math == Math::kBf16;
  return finding(
      bf16 ? Change::kAmpBf16 : Change::kAmpFp16, saving,
      fmt::format("{} of matrix work runs in {}{}{}", time_text(seconds), any_fp32 ? "FP32" : "",
                  any_fp32 && any_tf32 ? " and " : "", any_tf32 ? "TF32" : ""),
      bf16 ? "train or infer under torch.autocast(\"cuda\", dtype=torch.bfloat16); check "
             "the loss"
           : "use torch.autocast(\"cuda\", dtype=torch.float16), in training with a "
             "GradScaler; check the loss");
}

std::optional<Finding> find_communication(const StepTimeline& timeline,
                                          const predict::StepSavings& savings) {
  const Seconds exposed = timeline.part(StepPart::kComm);
  if (exposed.value() <= 0) return std::nullopt;
  return finding(
      Change::kCommOverlap, savings.by_hiding_collectives(),
      fmt::format("collectives run alone for {}; {} of {} is hidden under kernels",
                  of_step(exposed, timeline), time_text(timeline.collectives_hidden.value()),
                  time_text(timeline.collectives.value())),
      "start collectives as soon as their data is ready (DDP buckets, FSDP prefetch); "
      "this is the most that can be hidden");
}

}  // namespace

std::vector<Finding> find_savings(const Workload& workload, const StepTimeline& timeline,
                                  const predict::Card* card,
                                  const predict::Parameters& parameters) {
  const predict::StepSavings savings(workload, parameters);
  std::vector<std::optional<Finding>> candidates = {
      find_overlap(workload, timeline, card, savings), find_graphs(workload, timeline, savings),
      find_waits(workload, timeline, savings), find_communication(timeline, savings)};
  if (card != nullptr) {
    candidates.push_back(find_format(workload, Math::kTf32, *card, savings));
    auto half = find_format(workload, Math::kBf16, *card, savings);
    if (!half) half = find_format(workload, Math::kFp16, *card, savings);
    candidates.push_back(std::move(half));
  }
  std::vector<Finding> findings;
  const double step = workload.step_length.value();
  for (auto& candidate : candidates) {
    if (!candidate) continue;
    const Range& saved = candidate->saved_seconds;
    if (saved.predicted >= kLeastSaving * step ||
        (saved.predicted >= kLeastWithHope * step && saved.high >= kLeastHope * step)) {
      findings.push_back(std::move(*candidate));
    }
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.saved_seconds.predicted > b.saved_seconds.predicted;
  });
  return findings;
}

}  // namespace uplift::decide
