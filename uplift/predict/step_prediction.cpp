// SPDX-License-Identifier: Apache-2.0
// Transfers, replays and the split of a speedup over the dimensions.
#include "uplift/predict/step_prediction.hpp"

#include "uplift/predict/kernel_op.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace uplift::predict {
namespace {

/// Which interval the half-widths are of.
enum class Interval { kKnown, kWithProfile };

/// The step's events with device times scaled per kernel; `shift` moves all by that many
/// half-widths.
std::vector<EventCost> event_costs(const Workload& workload, const std::vector<Transfer>& kernels,
                                   const model::GpuModel& source, const model::GpuModel& target,
                                   const model::Parameters& parameters, double shift,
                                   Interval interval = Interval::kKnown) {
  std::vector<EventCost> costs(workload.step.events.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const StepEvent& event = workload.step.events[i];
    if (event.kind == EventKind::kSync || event.item < 0) continue;
    const auto item = static_cast<std::size_t>(event.item);
    const Seconds recorded = from_nanoseconds(event.device_end - event.device_start);
    Transfer transfer;
    double ratio = 1.0;
    if (event.kind == EventKind::kKernel) {
      transfer = kernels[item];
      const Seconds mean = workload.kernels[item].mean();
      ratio = mean.value() > 0 ? transfer.target / mean : 1.0;
    } else {
      transfer = transfer_copy(workload.copies[item], Bytes(static_cast<double>(event.copy_bytes)),
                               recorded, source, target, parameters);
      ratio = recorded.value() > 0 ? transfer.target / recorded : 1.0;
    }
    const double narrowing = interval == Interval::kWithProfile ? transfer.narrowing : 1.0;
    costs[i] = {recorded * (ratio * std::exp(shift * narrowing * transfer.log_half_width)),
                transfer.target_bound};
  }
  return costs;
}

std::vector<EventCost> recorded_costs(const Workload& workload,
                                      const std::vector<Transfer>& kernels) {
  std::vector<EventCost> costs(workload.step.events.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const StepEvent& event = workload.step.events[i];
    if (event.kind == EventKind::kSync || event.item < 0) continue;
    costs[i].time = from_nanoseconds(event.device_end - event.device_start);
    costs[i].bound = event.kind == EventKind::kKernel
                         ? kernels[static_cast<std::size_t>(event.item)].source_bound
                         : Bound::kCopy;
  }
  return costs;
}

std::array<Seconds, kBounds.size()> scaled(const std::array<Seconds, kBounds.size()>& parts,
                                           double by) {
  std::array<Seconds, kBounds.size()> result = parts;
  for (Seconds& part : result) part = part * by;
  return result;
}

std::vector<PreparedKernel> prepare(const Workload& workload, const model::GpuModel& source,
                                    const model::Parameters& parameters) {
  std::vector<PreparedKernel> prepared;
  prepared.reserve(workload.kernels.size());
  for (const DistinctKernel& kernel : workload.kernels) {
    prepared.push_back(prepare_kernel(kernel, source, parameters));
  }
  return prepared;
}

/// From source to target, with what the times of the recording say of the source.
OpPredictor op_predictor(const Workload& workload, const OpCardInput& source,
                         const OpCardInput& target) {
  OpPredictor ops(OpConstants::built_in(), source, target);
  const std::vector<TimedOp> timed = timed_ops(workload);
  ops.learn(timed, false);
  return ops;
}

std::vector<Transfer> transfer_all(const Workload& workload,
                                   const std::vector<PreparedKernel>& prepared,
                                   const model::GpuModel& source, const model::GpuModel& target,
                                   const model::Parameters& parameters, const OpPredictor& ops) {
  const FrameworkDefaults defaults = framework_defaults(workload.framework, source, target);
  std::vector<Transfer> kernels;
  kernels.reserve(workload.kernels.size());
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    kernels.push_back(transfer_kernel(workload.kernels[i], prepared[i], source, target, defaults,
                                      parameters, ops));
  }
  return kernels;
}

}  // namespace

StepPrediction predict_step(const Workload& workload, const OpCardInput& from,
                            const OpCardInput& to, const model::Parameters& parameters) {
  const model::GpuModel& source = *from.gpu;
  const model::GpuModel& target = *to.gpu;
  StepPrediction prediction;
  prediction.source = workload.step_length;
  prediction.kernels = transfer_all(workload, prepare(workload, source, parameters), source, target,
                                    parameters, op_predictor(workload, from, to));
  const auto replay = [&](double shift, Interval interval = Interval::kKnown) {
    return replay_step(workload.step, event_costs(workload, prediction.kernels, source, target,
                                                  parameters, shift, interval));
  };
  const Replay on_source = replay_step(workload.step, recorded_costs(workload, prediction.kernels));
  const Replay on_target = replay(0);
  prediction.replay_scale =
      on_source.length.value() > 0 ? workload.step_length / on_source.length : 1.0;
  const double scale = prediction.replay_scale;
  prediction.predicted = on_target.length * scale;
  // Errors of one card share a sign, so all kernels move together and nothing averages out.
  const double replay_doubt = source.id == target.id ? 0.0 : std::abs(std::log(scale));
  double doubt = std::exp(replay_doubt);
  if (source.id != target.id && on_target.length.value() > 0) {
    // The host is kept, but one host's pace varies from run to run and from machine to machine.
    const double host_share =
        on_target.by_bound[static_cast<std::size_t>(Bound::kHost)] / on_target.length;
    doubt *= std::exp(parameters.host_half_width * host_share);
  }
  const auto low = [&](Interval interval) { return replay(-1, interval).length * (scale / doubt); };
  const auto high = [&](Interval interval) {
    return replay(+1, interval).length * (scale * doubt);
  };
  prediction.low = low(Interval::kKnown);
  prediction.high = high(Interval::kKnown);
  const bool narrower = std::any_of(prediction.kernels.begin(), prediction.kernels.end(),
                                    [](const Transfer& kernel) { return kernel.narrowing < 1; });
  prediction.profiled_low = narrower ? low(Interval::kWithProfile) : prediction.low;
  prediction.profiled_high = narrower ? high(Interval::kWithProfile) : prediction.high;
  prediction.source_by_bound = scaled(on_source.by_bound, scale);
  prediction.target_by_bound = scaled(on_target.by_bound, scale);
  return prediction;
}

double replay_scale(const Workload& workload) {
  std::vector<EventCost> costs(workload.step.events.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const StepEvent& event = workload.step.events[i];
    if (event.kind == EventKind::kSync || event.item < 0) continue;
    costs[i].time = from_nanoseconds(event.device_end - event.device_start);
  }
  const Seconds recorded = replay_step(workload.step, costs).length;
  return recorded.value() > 0 ? workload.step_length / recorded : 0.0;
}

Seconds floor_of(const Workload& workload) {
  const double scale = replay_scale(workload);
  if (scale <= 0) return workload.step_length;
  const std::vector<EventCost> nothing(workload.step.events.size());
  return replay_step(workload.step, nothing).length * scale;
}

std::array<double, kDimensions.size()> attribute_speedup(const Workload& workload,
                                                         const OpCardInput& from,
                                                         const model::GpuModel& target,
                                                         const model::Parameters& parameters) {
  const model::GpuModel& source = *from.gpu;
  std::vector<std::size_t> players;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    if (model::is_modelled(kDimensions[i])) players.push_back(i);
  }
  const std::size_t n = players.size();
  const std::vector<PreparedKernel> prepared = prepare(workload, source, parameters);
  const OpPredictor ops = op_predictor(workload, from, {&target, {}});
  std::vector<double> log_seconds(std::size_t{1} << n);
  for (std::size_t subset = 0; subset < log_seconds.size(); ++subset) {
    model::GpuModel mixed = source;
    for (std::size_t p = 0; p < n; ++p) {
      if ((subset >> p & 1) != 0) model::take_dimension(mixed, target, kDimensions[players[p]]);
    }
    const auto kernels =
        transfer_all(workload, prepared, source, mixed, parameters, ops.with_target({&mixed, {}}));
    const auto costs = event_costs(workload, kernels, source, mixed, parameters, 0);
    log_seconds[subset] = std::log(replay_step(workload.step, costs).length.value());
  }
  std::array<double, kDimensions.size()> factors{};
  for (std::size_t p = 0; p < n; ++p) {
    double gain = 0;
    for (std::size_t subset = 0; subset < log_seconds.size(); ++subset) {
      if ((subset >> p & 1) != 0) continue;
      const auto size = static_cast<double>(std::popcount(subset));
      // |S|! (n - |S| - 1)! / n!, by the gamma function.
      const double weight =
          std::exp(std::lgamma(size + 1) + std::lgamma(static_cast<double>(n) - size) -
                   std::lgamma(static_cast<double>(n) + 1));
      gain += weight * (log_seconds[subset] - log_seconds[subset | std::size_t{1} << p]);
    }
    factors[players[p]] = std::exp(gain);
  }
  return factors;
}

}  // namespace uplift::predict
