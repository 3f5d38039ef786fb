// SPDX-License-Identifier: Apache-2.0
// Efficiency is carried above the launch floor: t_target = floor_t + e model_t, e from the source.
#include "uplift/predict/kernel_transfer.hpp"

#include "uplift/predict/kernel_op.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace uplift::predict {
namespace {

const model::IntervalWidths& widths(const model::GpuModel& source, const model::GpuModel& target,
                                    const model::Parameters& parameters) {
  const bool published =
      source.basis == model::Basis::kPublished && target.basis == model::Basis::kPublished;
  return published ? parameters.published : parameters.datasheet;
}

double half_width(const DistinctKernel& kernel, const KernelWork& work,
                  const model::IntervalWidths& widths) {
  if (work.arithmetic && !work.shape_known) return widths.unknown_shape;
  switch (kernel.kernel_class) {
    case KernelClass::kGemm:
      return work.math == Math::kFp32 || work.math == Math::kFp64 ? widths.gemm_cuda_core
                                                                  : widths.gemm_tensor_core;
    case KernelClass::kConv:
      return widths.conv;
    case KernelClass::kAttention:
      return widths.attention;
    case KernelClass::kElementwise:
      return widths.elementwise;
    case KernelClass::kNorm:
      return widths.norm;
    case KernelClass::kSoftmax:
      return widths.softmax;
    case KernelClass::kCollective:
      return widths.collective;
    case KernelClass::kReduce:
    case KernelClass::kEmbedding:
    case KernelClass::kOptimizer:
    case KernelClass::kPool:
    case KernelClass::kLayout:
    case KernelClass::kSort:
    case KernelClass::kOther:
      return widths.other;
  }
  return widths.other;
}

/// Another format means another kernel: what the old one gained by an algorithm with fewer
/// operations (Winograd) does not carry over, and neither does an unusually bad tile.
double carry_to_format(double efficiency) {
  constexpr double kWorstCarried = 3.0;
  return std::clamp(efficiency, 1.0, kWorstCarried);
}

/// Smallest and largest ratio of the two cards' ceilings.
std::pair<double, double> hardware_ratios(Math math, const model::GpuModel& source,
                                          const model::GpuModel& target) {
  const auto issue = [](const model::GpuModel& card) {
    return card.tensor.sm_count * card.tensor.clock.value();
  };
  const std::array ratios = {
      target.tensor.sustained[index(math)] / source.tensor.sustained[index(math)],
      target.memory.stream / source.memory.stream, target.cache.bandwidth / source.cache.bandwidth,
      issue(target) / issue(source)};
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  return {*least, *most};
}

/// Another generation runs another kernel, so the formula of the operation tells more than the
/// source's time; how much of that is carried, the formula's constants say. Single kernels may gain
/// or lose a factor of 1.5 beyond what any of the cards' ceilings differ by, no more.
void predict_as_op(const DistinctKernel& kernel, const model::GpuModel& source,
                   const model::GpuModel& target, const OpPredictor& ops, Transfer& transfer) {
  constexpr double kBetterKernels = 1.5;
  const auto op = as_op(kernel);
  if (!op) return;
  const double time = kernel.mean().value();
  const OpPredictor::Answer answer = ops.predict(*op, time);
  if (!answer.answered) return;
  const auto [least, most] = hardware_ratios(op->math, source, target);
  const double plain = time / transfer.target.value();
  const double gain = std::clamp(time / answer.seconds, std::min(plain, least / kBetterKernels),
                                 std::max(plain, most * kBetterKernels));
  transfer.target = Seconds(time / gain);
  transfer.log_half_width = std::log(answer.high / answer.seconds);
}

/// Factor on half-widths: 0 for a card and itself, less than 1 between cards that run the same
/// kernels, more where one of the two belongs to a generation without operation timings.
double generation_doubt(const model::GpuModel& source, const model::GpuModel& target,
                        const model::Parameters& parameters) {
  if (source.id == target.id) return 0.0;
  constexpr ComputeCapability kFirstUnseen{10, 0};
  const bool unseen =
      source.compute_capability >= kFirstUnseen || target.compute_capability >= kFirstUnseen;
  const bool same = source.compute_capability == target.compute_capability;
  return (unseen ? parameters.unseen_generation : 1.0) * (same ? parameters.same_capability : 1.0);
}

Transfer transfer_collective(Seconds time, const model::GpuModel& source,
                             const model::GpuModel& target, const model::Parameters& parameters) {
  // Below this a collective waits for signals between GPUs, not for bandwidth.
  constexpr Seconds kLatency{20e-6};
  const Seconds latency = std::min(time, kLatency);
  Transfer transfer;
  transfer.target =
      latency + (time - latency) * (source.copy.peer.value() / target.copy.peer.value());
  transfer.source_bound = transfer.target_bound = Bound::kComm;
  transfer.log_half_width =
      widths(source, target, parameters).collective * generation_doubt(source, target, parameters);
  return transfer;
}

}  // namespace

FrameworkDefaults framework_defaults(std::string_view framework, const model::GpuModel& source,
                                     const model::GpuModel& target) {
  constexpr ComputeCapability kFirstTf32{8, 0};
  return {framework == "PyTorch" && source.compute_capability < kFirstTf32 &&
          target.compute_capability >= kFirstTf32};
}

PreparedKernel prepare_kernel(const DistinctKernel& kernel, const model::GpuModel& source,
                              const model::Parameters& parameters) {
  PreparedKernel prepared;
  prepared.work = describe_work(kernel, kernel.mean(), source, parameters);
  prepared.on_source = estimate_kernel(prepared.work, source, parameters);
  return prepared;
}

Transfer transfer_kernel(const DistinctKernel& kernel, const model::GpuModel& source,
                         const model::GpuModel& target, const FrameworkDefaults& defaults,
                         const model::Parameters& parameters) {
  const OpPredictor ops(OpConstants::built_in(), {&source, {}}, {&target, {}});
  return transfer_kernel(kernel, prepare_kernel(kernel, source, parameters), source, target,
                         defaults, parameters, ops);
}

Transfer transfer_kernel(const DistinctKernel& kernel, const PreparedKernel& prepared,
                         const model::GpuModel& source, const model::GpuModel& target,
                         const FrameworkDefaults& defaults, const model::Parameters& parameters,
                         const OpPredictor& ops) {
  const Seconds time = kernel.mean();
  if (kernel.kernel_class == KernelClass::kCollective) {
    return transfer_collective(time, source, target, parameters);
  }
  KernelWork work = prepared.work;
  const KernelTime& on_source = prepared.on_source;
  const Math source_math = source.tensor.choice[index(work.math)].math;
  if (work.arithmetic && work.math == Math::kFp32 && defaults.tf32_convolutions &&
      kernel.kernel_class == KernelClass::kConv) {
    work.math = Math::kTf32;
  }
  const KernelTime on_target = estimate_kernel(work, target, parameters);

  Transfer transfer;
  transfer.source_bound = on_source.bound;
  transfer.target_bound = on_target.bound;
  transfer.target_math = target.tensor.choice[index(work.math)].math;
  transfer.math_changed = work.arithmetic && transfer.target_math != source_math;
  transfer.log_half_width = half_width(kernel, work, widths(source, target, parameters)) *
                            generation_doubt(source, target, parameters);
  if (on_source.work.value() <= 0 || time <= on_source.floor) {
    transfer.target = time * (on_target.floor.value() / on_source.floor.value());
    transfer.source_bound = transfer.target_bound = Bound::kLaunch;
    return transfer;
  }
  const double efficiency = (time - on_source.floor) / on_source.work;
  if (transfer.math_changed) {
    transfer.target = on_target.floor + on_target.work * carry_to_format(efficiency);
    return transfer;
  }
  if (work.arithmetic && !work.shape_known) {
    // Its traffic is anything between none and what describe_work assumes.
    const Seconds lean = estimate_kernel(without_traffic(work), target, parameters).work *
                         ((time - on_source.floor) /
                          estimate_kernel(without_traffic(work), source, parameters).work);
    const Seconds rich = on_target.work * efficiency;
    transfer.target = on_target.floor + Seconds(std::sqrt(lean.value() * rich.value()));
    if (source.id != target.id) {
      transfer.log_half_width += 0.5 * std::abs(std::log(rich / lean));
    }
    return transfer;
  }
  transfer.target = on_target.floor + (time - on_source.floor) * (on_target.work / on_source.work);
  if (work.arithmetic && source.compute_capability != target.compute_capability) {
    predict_as_op(kernel, source, target, ops, transfer);
  }
  return transfer;
}

Transfer reformat_kernel(const DistinctKernel& kernel, const PreparedKernel& prepared, Math math,
                         const model::GpuModel& card, const model::Parameters& parameters) {
  KernelWork work = prepared.work;
  work.math = math;
  const double element_bytes =
      kernel.element_bytes > 0 ? kernel.element_bytes : storage_bytes(prepared.work.math);
  work.traffic = work.traffic * std::min(1.0, storage_bytes(math) / element_bytes);
  const Seconds time = kernel.mean();
  const KernelTime changed = estimate_kernel(work, card, parameters);
  Transfer transfer;
  transfer.source_bound = prepared.on_source.bound;
  transfer.target_bound = changed.bound;
  transfer.target_math = card.tensor.choice[index(math)].math;
  transfer.math_changed = true;
  transfer.log_half_width = kernel_half_width(kernel, work, card.basis, parameters);
  transfer.target = time;
  if (prepared.on_source.work.value() <= 0 || time <= prepared.on_source.floor) return transfer;
  const double efficiency = (time - prepared.on_source.floor) / prepared.on_source.work;
  transfer.target = std::min(time, changed.floor + changed.work * carry_to_format(efficiency));
  return transfer;
}

double kernel_half_width(const DistinctKernel& kernel, const KernelWork& work, model::Basis basis,
                         const model::Parameters& parameters) {
  return half_width(
      kernel, work,
      basis == model::Basis::kPublished ? parameters.published : parameters.datasheet);
}

Transfer transfer_copy(const DistinctCopy& copy, Bytes bytes, Seconds time,
                       const model::GpuModel& source, const model::GpuModel& target,
                       const model::Parameters& parameters) {
  Transfer transfer;
  transfer.source_bound = transfer.target_bound = Bound::kCopy;
  transfer.log_half_width =
      widths(source, target, parameters).copy * generation_doubt(source, target, parameters);
  double ratio = 1.0;
  switch (copy.kind) {
    case CopyKind::kHostToDevice:
    case CopyKind::kDeviceToHost:
      ratio = copy.pageable ? source.copy.host_pageable.value() / target.copy.host_pageable.value()
                            : source.copy.host_pinned.value() / target.copy.host_pinned.value();
      break;
    case CopyKind::kPeer:
      ratio = source.copy.peer.value() / target.copy.peer.value();
      break;
    case CopyKind::kDeviceToDevice:
    case CopyKind::kSet: {
      KernelWork work;
      work.traffic = bytes * (copy.kind == CopyKind::kSet ? 1.0 : 2.0);
      const double a = estimate_kernel(work, source, parameters).whole().value();
      const double b = estimate_kernel(work, target, parameters).whole().value();
      ratio = b / a;
      break;
    }
  }
  // The first microseconds are the engine's start, which no link shortens.
  constexpr Seconds kStart{1.5e-6};
  const Seconds start = std::min(time, kStart);
  transfer.target = start + (time - start) * ratio;
  return transfer;
}

}  // namespace uplift::predict
