// SPDX-License-Identifier: Apache-2.0
// Each change edits the events or the times of the recorded step; the rest is one replay for all.
#include "uplift/predict/step_savings.hpp"

#include "uplift/predict/kernel_transfer.hpp"
#include "uplift/predict/step_replay.hpp"
#include "uplift/predict/step_timeline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace uplift::predict {
namespace {

/// A step to be replayed, and what it takes at least (work that is kept off the replay).
struct Variant {
  Step step;
  std::vector<EventCost> costs;
  Seconds at_least;
};

/// Without the profiler, which lengthens the host's work: host-bound steps that were also timed
/// without one took 0.51 to 0.81 of the time (docs/accuracy.md, section 3). First the middle of
/// them, then the ends of what is possible: as recorded, and half of it.
constexpr std::array kHostPaces = {0.66, 1.0, 0.5};
constexpr std::size_t kAsRecorded = 1;

/// From kernel to kernel in a CUDA graph: 0.42 us at the median of a recorded one on an H200.
constexpr Seconds kGraphGap{0.5e-6};

/// Casts that 16-bit arithmetic in an FP32 program adds, over the time of the changed kernels: from
/// none to as long again. By judgement: GPT-2 Large under autocast takes 144 ms where its kernels
/// alone would give 105 ms.
constexpr double kCasts = 0.5;

/// The step as recorded; what has no usable time takes none.
Variant recorded(const Workload& workload) {
  Variant variant{workload.step, std::vector<EventCost>(workload.step.events.size()), {}};
  variant.step.host_tail = is_time(variant.step.host_tail) ? variant.step.host_tail : 0;
  for (std::size_t i = 0; i < variant.costs.size(); ++i) {
    StepEvent& event = variant.step.events[i];
    if (!has_call(event)) event.host_start = event.host_end = kUnknownTime;
    if (ran(event, workload)) {
      variant.costs[i].time = from_nanoseconds(event.device_end - event.device_start);
      // What the replay knows a blocking copy by.
      if (blocks_host(event, workload)) event.host_end = std::max(event.host_end, event.device_end);
    } else if (event.kind == EventKind::kSync) {
      event.device_start = event.device_end = kUnknownTime;
    } else {
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

/// One step of many in a row.
Seconds steady(const Variant& variant, double host_pace) {
  return std::max(variant.at_least, replay_next_step(variant.step, variant.costs, host_pace));
}

/// A call that takes its usual time and waits for nothing.
void release(StepEvent& event, std::int32_t empty_stream) {
  event.kind = EventKind::kSync;
  event.item = -1;
  event.stream = empty_stream;
}

/// The step with launches that cost the host nothing. Where it waits for the device (a
/// synchronisation or a blocking copy) it still does, and what it did from there to its next call
/// is kept.
Variant as_graphs(const Workload& workload) {
  const Variant before = recorded(workload);
  const std::vector<StepEvent>& events = before.step.events;
  const auto waits = [&](const StepEvent& event) {
    return event.kind == EventKind::kSync || blocks_host(event, workload);
  };
  const auto last = std::find_if(events.rbegin(), events.rend(), has_call);
  bool kept = last != events.rend() && waits(*last);
  Variant graphs;
  graphs.step.length = before.step.length;
  graphs.step.host_tail = kept ? before.step.host_tail : 0;
  std::int64_t host = 0;
  std::int64_t recorded_host = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    StepEvent event = events[i];
    if (has_call(event)) {
      if (kept) host += std::max<std::int64_t>(0, event.host_start - recorded_host);
      recorded_host = std::max(recorded_host, event.host_end);
      kept = waits(event);
    }
    // A nanosecond apart: each still waits for its stream alone, not for the one before.
    event.host_start = event.host_end = ++host;
    graphs.step.events.push_back(event);
    const bool runs = event.kind != EventKind::kSync;
    graphs.costs.push_back({before.costs[i].time + (runs ? kGraphGap : Seconds(0)), {}});
    if (runs && kept && waits(events[i])) {
      StepEvent wait;
      wait.kind = EventKind::kSync;
      wait.stream = event.stream;
      wait.host_start = wait.host_end = ++host;
      graphs.step.events.push_back(wait);
      graphs.costs.emplace_back();
    }
  }
  return graphs;
}

}  // namespace

/// `variant(shift)` is the changed step, its estimated times moved by that many half-widths.
template <class MakeVariant>
Saving StepSavings::save_by(bool estimated, const MakeVariant& variant) const {
  const double step = workload_.step_length.value();
  if (scale_ <= 0) return {};
  const auto saved = [&](std::size_t pace, double shift) {
    return scale_ * (recorded_[pace] - steady(variant(shift), kHostPaces[pace])).value();
  };
  const double predicted = saved(0, 0.0);
  double low = predicted;
  double high = predicted;
  const auto consider = [&](double seconds) {
    low = std::min(low, seconds);
    high = std::max(high, seconds);
  };
  for (std::size_t pace = 1; pace < kHostPaces.size(); ++pace) consider(saved(pace, 0.0));
  if (estimated) {
    consider(saved(0, -1.0));
    consider(saved(0, 1.0));
  }
  const double doubt = std::exp(std::abs(std::log(scale_)) + parameters_.host_half_width);
  Saving saving;
  saving.predicted = Seconds(std::clamp(predicted, 0.0, step));
  saving.low = std::clamp(Seconds(low / doubt), Seconds(0), saving.predicted);
  saving.high = std::clamp(Seconds(high * doubt), saving.predicted, Seconds(step));
  return saving;
}

StepSavings::StepSavings(const Workload& workload, const model::Parameters& parameters)
    : workload_(workload), parameters_(parameters) {
  const Variant variant = recorded(workload);
  for (std::size_t i = 0; i < kHostPaces.size(); ++i) {
    recorded_[i] = steady(variant, kHostPaces[i]);
  }
  static_assert(kHostPaces.size() == std::tuple_size_v<decltype(recorded_)>);
  const Seconds as_recorded = recorded_[kAsRecorded];
  const bool usable = as_recorded.value() > 0 && workload.step_length.value() > 0;
  scale_ = usable ? workload.step_length / as_recorded : 0.0;
}

bool is_prefetchable(const CopyUse& use, const DistinctCopy& copy) {
  return copy.kind == CopyKind::kHostToDevice && use.exposed.value() > 0 &&
         (copy.pageable || use.blocks_host || use.on_kernel_stream);
}

Saving StepSavings::by_prefetch(const StepTimeline& timeline, const model::GpuModel* card) const {
  const Workload& workload = workload_;
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
            (bytes / card->copy.host_pinned) * std::exp(shift * parameters_.published.copy);
        time = std::min(time, pinned);
      }
      // Off the replay: the link carries it while the step before runs.
      variant.at_least += time;
      variant.costs[i] = {};
      release(event, empty);
    }
    return variant;
  };
  return save_by(true, change);
}

Saving StepSavings::by_graphs() const {
  return save_by(false, [&](double) { return as_graphs(workload_); });
}

Saving StepSavings::by_not_waiting() const {
  const Workload& workload = workload_;
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
  return save_by(false, change);
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

Saving StepSavings::by_format(Math math, const model::GpuModel& card) const {
  const Workload& workload = workload_;
  const bool casts = storage_bytes(math) < storage_bytes(Math::kFp32);
  std::vector<Transfer> changed(workload.kernels.size());
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const DistinctKernel& kernel = workload.kernels[i];
    changed[i].target = kernel.mean();
    if (!is_reformattable(kernel, math, card)) continue;
    changed[i] =
        reformat_kernel(kernel, prepare_kernel(kernel, card, parameters_), math, card, parameters_);
  }
  const auto change = [&](double shift) {
    Variant variant = recorded(workload);
    for (std::size_t i = 0; i < variant.costs.size(); ++i) {
      const StepEvent& event = variant.step.events[i];
      if (event.kind != EventKind::kKernel || !ran(event, workload)) continue;
      const auto item = static_cast<std::size_t>(event.item);
      const Seconds mean = workload.kernels[item].mean();
      if (!(mean.value() > 0)) continue;
      double ratio = changed[item].target / mean * std::exp(shift * changed[item].log_half_width);
      if (casts && changed[item].math_changed) ratio *= 1.0 + kCasts * (1.0 + shift);
      variant.costs[i].time = variant.costs[i].time * std::min(1.0, ratio);
    }
    return variant;
  };
  return save_by(true, change);
}

Saving StepSavings::by_hiding_collectives() const {
  const Workload& workload = workload_;
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
  Saving saving = save_by(false, change);
  saving.low = Seconds(0);
  return saving;
}

}  // namespace uplift::predict
