// SPDX-License-Identifier: Apache-2.0
// Each change edits the events or the times of the recorded step; the rest is one replay for all.
#include "uplift/predict/step_savings.hpp"

#include "uplift/predict/kernel_transfer.hpp"
#include "uplift/predict/step_replay.hpp"
#include "uplift/predict/step_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace uplift::predict {
namespace {

/// A step to be replayed, and what it takes at least (work that is kept off the replay).
struct Variant {
  Step step;
  std::vector<EventCost> costs;
  Seconds at_least;
};

/// The changed step; `shift` moves its estimated times by that many half-widths.
using Change = std::function<Variant(double shift)>;

/// Profilers lengthen the host's work: of the recorded steps that were also timed without one, the
/// host-bound ones took 0.59 (BERT-large training) to 0.81 (ResNet-50 fed by blocking copies) of
/// the time. Half bounds it.
constexpr double kHostWithoutProfiler = 0.5;

/// From kernel to kernel in a CUDA graph: 0.42 us at the median of a recorded one on an H200.
constexpr Seconds kGraphGap{0.5e-6};

/// The step as recorded; what has no usable time takes none.
Variant recorded(const Workload& workload) {
  Variant variant{workload.step, std::vector<EventCost>(workload.step.events.size()), {}};
  variant.step.host_tail = is_time(variant.step.host_tail) ? variant.step.host_tail : 0;
  for (std::size_t i = 0; i < variant.costs.size(); ++i) {
    StepEvent& event = variant.step.events[i];
    if (!has_call(event)) event.host_start = event.host_end = kUnknownTime;
    if (ran(event, workload)) {
      variant.costs[i].time = from_nanoseconds(event.device_end - event.device_start);
    } else if (event.kind != EventKind::kSync) {
      event.device_start = event.device_end = 0;
      event.stream = std::max(0, event.stream);
    }
  }
  return variant;
}

std::int32_t unused_stream(const Step& step) {
  std::int32_t most = 0;
  for (const StepEvent& event : step.events) most = std::max(most, event.stream);
  return most + 1;
}

/// The step followed by itself.
Variant twice(const Variant& once) {
  std::int64_t period = 0;
  for (const StepEvent& event : once.step.events) period = std::max(period, event.host_end);
  period += once.step.host_tail;
  if (period <= 0) {  // no host side is recorded
    for (const StepEvent& event : once.step.events) period = std::max(period, event.device_end);
  }
  Variant variant = once;
  for (StepEvent event : once.step.events) {
    for (std::int64_t* time :
         {&event.host_start, &event.host_end, &event.device_start, &event.device_end}) {
      if (*time != kUnknownTime) *time += period;
    }
    variant.step.events.push_back(event);
  }
  variant.costs.insert(variant.costs.end(), once.costs.begin(), once.costs.end());
  return variant;
}

/// One step of many in a row: what the second adds to the first. So a host that runs ahead of the
/// device does so across steps, as it would.
Seconds steady(const Variant& variant, double host_pace) {
  const Seconds first = replay_step(variant.step, variant.costs, host_pace).length;
  const Variant doubled = twice(variant);
  const Seconds both = replay_step(doubled.step, doubled.costs, host_pace).length;
  return std::max(variant.at_least, both - first);
}

Saving save_by(const Workload& workload, const Change& change,
               const model::Parameters& parameters) {
  const Variant before = recorded(workload);
  const double step = workload.step_length.value();
  const double replayed = steady(before, 1.0).value();
  if (!(replayed > 0) || !(step > 0)) return {};
  const double scale = step / replayed;
  Saving saving;
  double low = step;
  double high = 0;
  for (const double pace : {1.0, kHostWithoutProfiler}) {
    const Seconds base = steady(before, pace);
    for (const double shift : {0.0, -1.0, 1.0}) {
      const double saved = scale * (base - steady(change(shift), pace)).value();
      if (pace == 1.0 && shift == 0.0) saving.predicted = Seconds(std::clamp(saved, 0.0, step));
      low = std::min(low, saved);
      high = std::max(high, saved);
    }
  }
  const double doubt = std::exp(std::abs(std::log(scale)) + parameters.host_half_width);
  saving.low = std::clamp(Seconds(low / doubt), Seconds(0), saving.predicted);
  saving.high = std::clamp(Seconds(high * doubt), saving.predicted, Seconds(step));
  return saving;
}

/// A call that takes its usual time and waits for nothing.
void release(StepEvent& event, std::int32_t empty_stream) {
  event.kind = EventKind::kSync;
  event.item = -1;
  event.stream = empty_stream;
}

}  // namespace

bool is_prefetchable(const CopyUse& use, const DistinctCopy& copy) {
  return copy.kind == CopyKind::kHostToDevice && use.exposed.value() > 0 &&
         (copy.pageable || use.blocks_host || use.on_kernel_stream);
}

Saving save_by_prefetch(const Workload& workload, const StepTimeline& timeline,
                        const model::GpuModel* card, const model::Parameters& parameters) {
  std::vector<bool> moves(workload.copies.size(), false);
  for (const CopyUse& use : timeline.copies) {
    if (use.item < moves.size()) {
      moves[use.item] = is_prefetchable(use, workload.copies[use.item]);
    }
  }
  const auto change = [&](double shift) {
    Variant variant = recorded(workload);
    const std::int32_t empty = unused_stream(variant.step);
    bool follows_copy = false;
    for (std::size_t i = 0; i < variant.step.events.size(); ++i) {
      StepEvent& event = variant.step.events[i];
      if (event.kind == EventKind::kSync && follows_copy) {
        release(event, empty);  // it waited for the copy
      }
      follows_copy = event.kind == EventKind::kCopy && ran(event, workload) &&
                     moves[static_cast<std::size_t>(event.item)];
      if (!follows_copy) continue;
      const DistinctCopy& copy = workload.copies[static_cast<std::size_t>(event.item)];
      Seconds time = variant.costs[i].time;
      if (card != nullptr && copy.pageable) {
        const Bytes bytes(static_cast<double>(event.copy_bytes));
        const Seconds pinned =
            (bytes / card->copy.host_pinned) * std::exp(shift * parameters.published.copy);
        time = std::min(time, pinned);
      }
      // Off the replay: the link carries it while the step before runs.
      variant.at_least += time;
      variant.costs[i] = {};
      release(event, empty);
    }
    return variant;
  };
  return save_by(workload, change, parameters);
}

Saving save_by_graphs(const Workload& workload, const model::Parameters& parameters) {
  const Seconds relaunch = from_nanoseconds(launch_latency(workload.step));
  const auto change = [&](double) {
    Variant variant = recorded(workload);
    Variant graph;
    std::int64_t call = 0;
    Seconds waits;
    for (std::size_t i = 0; i < variant.step.events.size(); ++i) {
      StepEvent event = variant.step.events[i];
      if (event.kind == EventKind::kSync) {
        waits += relaunch;  // the graph behind it starts anew
        continue;
      }
      // One after the other and at once, so that each still waits for its stream alone.
      event.host_start = event.host_end = call++;
      graph.step.events.push_back(event);
      graph.costs.push_back({variant.costs[i].time + kGraphGap, Bound::kLaunch});
    }
    graph.step.length = variant.step.length;
    graph.at_least = steady(graph, 1.0) + waits;
    return graph;
  };
  return save_by(workload, change, parameters);
}

Saving save_by_not_waiting(const Workload& workload, const model::Parameters& parameters) {
  const auto change = [&](double) {
    Variant variant = recorded(workload);
    const std::int32_t empty = unused_stream(variant.step);
    for (StepEvent& event : variant.step.events) {
      if (event.kind == EventKind::kSync) {
        release(event, empty);
      } else if (blocks_host(event, workload) &&
                 workload.copies[static_cast<std::size_t>(event.item)].kind ==
                     CopyKind::kDeviceToHost) {
        event.host_end = std::min(event.host_end, event.device_end - 1);
      }
    }
    return variant;
  };
  return save_by(workload, change, parameters);
}

bool is_reformattable(const DistinctKernel& kernel, Math math, const model::GpuModel& card) {
  const bool matrix = kernel.kernel_class == KernelClass::kGemm ||
                      kernel.kernel_class == KernelClass::kConv ||
                      kernel.kernel_class == KernelClass::kAttention;
  if (!matrix || !kernel.math) return false;
  const bool wide =
      *kernel.math == Math::kFp32 ||
      (*kernel.math == Math::kTf32 && storage_bytes(math) < storage_bytes(Math::kTf32));
  constexpr double kWorthwhile = 1.2;
  return wide && !card.tensor.choice[index(math)].substituted &&
         card.tensor.sustained[index(math)] >
             card.tensor.sustained[index(*kernel.math)] * kWorthwhile;
}

Saving save_by_format(const Workload& workload, Math math, const model::GpuModel& card,
                      const model::Parameters& parameters) {
  std::vector<Transfer> changed(workload.kernels.size());
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const DistinctKernel& kernel = workload.kernels[i];
    changed[i].target = kernel.mean();
    if (!is_reformattable(kernel, math, card)) continue;
    changed[i] =
        reformat_kernel(kernel, prepare_kernel(kernel, card, parameters), math, card, parameters);
  }
  const auto change = [&](double shift) {
    Variant variant = recorded(workload);
    for (std::size_t i = 0; i < variant.costs.size(); ++i) {
      const StepEvent& event = variant.step.events[i];
      if (event.kind != EventKind::kKernel || !ran(event, workload)) continue;
      const auto item = static_cast<std::size_t>(event.item);
      const Seconds mean = workload.kernels[item].mean();
      if (!(mean.value() > 0)) continue;
      const double ratio =
          changed[item].target / mean * std::exp(shift * changed[item].log_half_width);
      variant.costs[i].time = variant.costs[i].time * std::min(1.0, ratio);
    }
    return variant;
  };
  return save_by(workload, change, parameters);
}

Saving save_by_hiding_collectives(const Workload& workload, const model::Parameters& parameters) {
  const auto change = [&](double) {
    Variant variant = recorded(workload);
    const std::int32_t empty = unused_stream(variant.step);
    for (std::size_t i = 0; i < variant.step.events.size(); ++i) {
      StepEvent& event = variant.step.events[i];
      if (event.kind != EventKind::kKernel || !ran(event, workload) ||
          workload.kernels[static_cast<std::size_t>(event.item)].kernel_class !=
              KernelClass::kCollective) {
        continue;
      }
      variant.at_least += variant.costs[i].time;
      variant.costs[i] = {};
      release(event, empty);
    }
    return variant;
  };
  Saving saving = save_by(workload, change, parameters);
  saving.low = Seconds(0);
  return saving;
}

}  // namespace uplift::predict
