// SPDX-License-Identifier: Apache-2.0
// Laws that hold for any workload and any pair of cards, whatever the constants of the model are.
#include "tests/property/random_workload.hpp"
#include "uplift/predict/kernel_transfer.hpp"
#include "uplift/predict/step_prediction.hpp"

#include <cmath>
#include <functional>

namespace uplift::property {
namespace {

constexpr double kTiny = 1e-9;

double sum(const std::array<Seconds, kBounds.size()>& parts) {
  double total = 0;
  for (const Seconds part : parts) total += part.value();
  return total;
}

/// No kernel and no step is slower on `better` than on `plain`, by more than `room`.
void assert_not_slower(const Gpu& plain, const Gpu& better, double room = kTiny) {
  const auto basis = draw_basis();
  const auto source = build(draw_gpu(), basis);
  const auto before = build(plain, basis);
  const auto after = build(better, basis);
  const Workload workload = draw_workload();
  const auto on_plain = predict::predict_step(workload, source, before, parameters());
  const auto on_better = predict::predict_step(workload, source, after, parameters());
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    RC_ASSERT(on_better.kernels[i].target.value() <=
              on_plain.kernels[i].target.value() * (1 + room));
  }
  RC_ASSERT(on_better.predicted.value() <= on_plain.predicted.value() * (1 + room));
}

RC_GTEST_PROP(Prediction, MoreDramBandwidthIsNeverSlower, ()) {
  const Gpu plain = draw_changed_gpu();
  Gpu better = plain;
  scale_dram(better, draw_factor());
  assert_not_slower(plain, better);
}

// A peak tells the clock that it was stated for, and what the power limit leaves of it; a peak that
// grows by any factor at the same clock can be read as another clock, so there is some room.
RC_GTEST_PROP(Prediction, MoreArithmeticIsHardlyEverSlower, ()) {
  const Gpu plain = draw_changed_gpu();
  Gpu better = plain;
  scale_rates(better, draw_factor());
  constexpr double kRoom = 0.15;
  assert_not_slower(plain, better, kRoom);
}

RC_GTEST_PROP(Prediction, ALargerL2IsNeverSlower, ()) {
  const Gpu plain = draw_gpu();
  Gpu better = plain;
  scale_l2(better, draw_factor());
  assert_not_slower(plain, better);
}

RC_GTEST_PROP(Prediction, TheSameCardGivesSpeedupOneWithoutDoubt, ()) {
  const auto card = build(draw_changed_gpu(), draw_basis());
  const Workload workload = draw_workload();
  const auto step = predict::predict_step(workload, card, card, parameters());
  const double length = workload.step_length.value();
  RC_ASSERT(std::abs(step.predicted.value() / length - 1) < kTiny);
  RC_ASSERT(std::abs(step.low.value() / length - 1) < kTiny);
  RC_ASSERT(std::abs(step.high.value() / length - 1) < kTiny);
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    RC_ASSERT(std::abs(step.kernels[i].target / workload.kernels[i].mean() - 1) < kTiny);
    RC_ASSERT(!step.kernels[i].math_changed);
  }
}

RC_GTEST_PROP(Prediction, IntervalsHoldTheirPrediction, ()) {
  const auto source = build(draw_gpu(), draw_basis());
  const auto target = build(draw_changed_gpu(), draw_basis());
  const auto step = predict::predict_step(draw_workload(), source, target, parameters());
  RC_ASSERT(std::isfinite(step.high.value()));
  RC_ASSERT(step.low.value() > 0);
  RC_ASSERT(step.low.value() <= step.predicted.value() * (1 + kTiny));
  RC_ASSERT(step.predicted.value() <= step.high.value() * (1 + kTiny));
  for (const auto& kernel : step.kernels) {
    RC_ASSERT(std::isfinite(kernel.target.value()));
    RC_ASSERT(kernel.target.value() > 0);
    RC_ASSERT(kernel.log_half_width >= 0);
  }
}

RC_GTEST_PROP(Prediction, FactorsMultiplyToTheSpeedup, ()) {
  const auto basis = draw_basis();
  const auto source = build(draw_gpu(), basis);
  const auto target = build(draw_changed_gpu(), basis);
  const Workload workload = draw_workload();
  const auto step = predict::predict_step(workload, source, target, parameters());
  const auto factors = predict::attribute_speedup(workload, source, target, parameters());
  double product = 1;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    if (model::is_modelled(kDimensions[i])) product *= factors[i];
  }
  RC_ASSERT(std::abs(product / (step.source / step.predicted) - 1) < 1e-6);
}

RC_GTEST_PROP(Prediction, AFactorOfOneWhereTheCardsAreTheSame, ()) {
  const auto basis = draw_basis();
  const Gpu plain = draw_gpu();
  Gpu other = plain;
  other.id += "-faster-memory";
  scale_dram(other, 1 + draw_factor());
  const auto factors = predict::attribute_speedup(draw_workload(), build(plain, basis),
                                                  build(other, basis), parameters());
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    if (!model::is_modelled(kDimensions[i])) continue;
    if (kDimensions[i] == Dimension::kMemory) {
      RC_ASSERT(factors[i] >= 1 - kTiny);
    } else {
      RC_ASSERT(std::abs(factors[i] - 1) < kTiny);
    }
  }
}

RC_GTEST_PROP(Prediction, SecondsByBoundSumToTheStep, ()) {
  const auto source = build(draw_gpu(), draw_basis());
  const auto target = build(draw_changed_gpu(), draw_basis());
  const auto step = predict::predict_step(draw_workload(), source, target, parameters());
  RC_ASSERT(std::abs(sum(step.source_by_bound) / step.source.value() - 1) < 1e-6);
  RC_ASSERT(std::abs(sum(step.target_by_bound) / step.predicted.value() - 1) < 1e-6);
  for (const Seconds part : step.target_by_bound) RC_ASSERT(part.value() >= 0);
}

// Of two recordings of one kernel, the longer one is predicted to be longer.
RC_GTEST_PROP(Prediction, ALongerRecordingIsNeverPredictedShorter, ()) {
  const auto basis = draw_basis();
  const auto source = build(draw_gpu(), basis);
  const auto target = build(draw_gpu(), basis);
  DistinctKernel kernel = draw_kernel();
  const auto before = predict::transfer_kernel(kernel, source, target, {}, parameters());
  kernel.total = kernel.total * draw_factor();
  const auto after = predict::transfer_kernel(kernel, source, target, {}, parameters());
  RC_ASSERT(after.target.value() >= before.target.value() * (1 - 1e-6));
}

// The same launches, told as two distinct kernels, make the same step.
RC_GTEST_PROP(Prediction, SplittingAKernelChangesNothing, ()) {
  const auto basis = draw_basis();
  const auto source = build(draw_gpu(), basis);
  const auto target = build(draw_gpu(), basis);
  Workload workload = draw_workload();
  const auto whole = predict::predict_step(workload, source, target, parameters());
  DistinctKernel& first = workload.kernels[0];
  first.launches *= 2;
  first.total = first.total * 2;
  DistinctKernel half = first;
  half.launches /= 2;
  half.total = half.total / 2;
  workload.kernels[0] = half;
  workload.kernels.push_back(half);
  const auto moved = static_cast<std::int32_t>(workload.kernels.size()) - 1;
  bool other = false;
  for (StepEvent& event : workload.step.events) {
    if (event.kind != EventKind::kKernel || event.item != 0) continue;
    if (std::exchange(other, !other)) event.item = moved;
  }
  const auto split = predict::predict_step(workload, source, target, parameters());
  RC_ASSERT(std::abs(split.predicted / whole.predicted - 1) < kTiny);
}

RC_GTEST_PROP(Shapes, SplittingKeepsFlopsAndNeverSavesBytes, ()) {
  const KernelClass kernel_class =
      *rc::gen::element(KernelClass::kGemm, KernelClass::kConv, KernelClass::kAttention);
  const OpShape whole = draw_shape(kernel_class);
  if (!is_known(whole)) return;
  OpShape first = whole;
  OpShape second = whole;
  const auto split = [](std::int64_t& a, std::int64_t& b) {
    const std::int64_t cut = *rc::gen::inRange<std::int64_t>(0, a + 1);
    b = a - cut;
    a = cut;
  };
  if (auto* gemm = std::get_if<GemmShape>(&first)) {
    auto& other = std::get<GemmShape>(second);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        split(gemm->b, other.b);
        break;
      case 1:
        split(gemm->m, other.m);
        break;
      case 2:
        split(gemm->n, other.n);
        break;
      default:
        split(gemm->k, other.k);
    }
  } else if (auto* conv = std::get_if<ConvShape>(&first)) {
    split(conv->n, std::get<ConvShape>(second).n);
  } else {
    split(std::get<AttentionShape>(first).b, std::get<AttentionShape>(second).b);
  }
  const double parts = flops(first).value() + flops(second).value();
  RC_ASSERT(std::abs(parts - flops(whole).value()) <= 1e-12 * flops(whole).value());
  RC_ASSERT(least_bytes(first, 2).value() + least_bytes(second, 2).value() >=
            least_bytes(whole, 2).value() * (1 - 1e-12));
}

}  // namespace
}  // namespace uplift::property
