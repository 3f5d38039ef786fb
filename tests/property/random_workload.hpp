// SPDX-License-Identifier: Apache-2.0
// Small random workloads and randomly changed boards for the laws of this folder. What is drawn is
// consistent in itself (times follow each other, indices fit), not realistic.
#pragma once

#include "uplift/catalog/catalog.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace uplift::property {

inline const catalog::Catalog& boards() {
  static const catalog::Catalog kCatalog = catalog::Catalog::load().value();
  return kCatalog;
}

inline const model::Parameters& parameters() {
  static const model::Parameters kParameters = model::load_parameters().value();
  return kParameters;
}

/// A board of the catalog that has the numbers a model needs.
inline const Gpu& draw_gpu() {
  static const std::vector<const Gpu*> kKnown = [] {
    std::vector<const Gpu*> known;
    for (const Gpu& gpu : boards().all()) {
      if (model::build_gpu_model(gpu, model::Basis::kPublished, parameters())) {
        known.push_back(&gpu);
      }
    }
    return known;
  }();
  RC_ASSERT(kKnown.size() + 3 >= boards().all().size());
  return *kKnown[*rc::gen::inRange<std::size_t>(0, kKnown.size())];
}

inline model::Basis draw_basis() {
  return *rc::gen::element(model::Basis::kDatasheet, model::Basis::kPublished);
}

inline model::GpuModel build(const Gpu& gpu, model::Basis basis) {
  auto built = model::build_gpu_model(gpu, basis, parameters());
  RC_ASSERT(built.has_value());
  return *built;
}

/// Between 1 and 8, on a logarithmic scale.
inline double draw_factor() { return std::exp2(*rc::gen::inRange(0, 301) / 100.0); }

inline void scale(MaybeFact& fact, double by) {
  if (fact) fact->value *= by;
}
inline void scale_dram(Gpu& gpu, double by) {
  scale(gpu.dram_bandwidth, by);
  scale(gpu.published.dram_stream, by);
}
inline void scale_rates(Gpu& gpu, double by) {
  for (MaybeFact& fact : gpu.dense_peak) scale(fact, by);
  for (MaybeFact& fact : gpu.published.gemm) scale(fact, by);
  for (MaybeFact* fact : {&gpu.fp16_cuda_peak, &gpu.fp16_fp16acc_peak, &gpu.int8_dp4a_peak}) {
    scale(*fact, by);
  }
}
inline void scale_l2(Gpu& gpu, double by) { scale(gpu.l2_bytes, by); }

/// A catalog board with its bandwidth, rates and L2 moved by up to 8 times.
inline Gpu draw_changed_gpu() {
  Gpu gpu = draw_gpu();
  scale_dram(gpu, draw_factor() / 3);
  scale_rates(gpu, draw_factor() / 3);
  scale_l2(gpu, draw_factor() / 3);
  gpu.id += "-changed";
  return gpu;
}

/// From 200 ns to about 3 ms.
inline std::int64_t draw_nanoseconds() {
  return static_cast<std::int64_t>(200 * std::exp2(*rc::gen::inRange(0, 1400) / 100.0));
}

inline std::int64_t draw_extent() {
  return static_cast<std::int64_t>(std::exp2(*rc::gen::inRange(0, 1300) / 100.0));
}

inline OpShape draw_shape(KernelClass kernel_class) {
  if (*rc::gen::inRange(0, 3) == 0) return {};
  const std::int64_t a = draw_extent();
  const std::int64_t b = draw_extent();
  const std::int64_t c = draw_extent();
  if (kernel_class == KernelClass::kGemm) return GemmShape{1 + a % 4, a, b, c};
  if (kernel_class == KernelClass::kAttention) {
    return AttentionShape{1 + a % 8, 8, 4, b, b + c, 64, *rc::gen::arbitrary<bool>(), false};
  }
  if (kernel_class == KernelClass::kConv) {
    const std::int64_t size = 8 + c % 100;
    return ConvShape{1 + a % 64, b, b, 1, {1, size, size}, {1, 3, 3}, {1, size, size}};
  }
  return TensorShape{a * b, b * (1 + c % 512)};
}

inline DistinctKernel draw_kernel() {
  DistinctKernel kernel;
  kernel.kernel_class = *rc::gen::elementOf(kKernelClasses);
  kernel.name = *rc::gen::element<std::string>("kernel", "vectorized_elementwise_kernel", "k2");
  if (*rc::gen::arbitrary<bool>()) kernel.math = *rc::gen::elementOf(kMaths);
  kernel.shape = draw_shape(kernel.kernel_class);
  kernel.element_bytes = *rc::gen::element(0.0, 1.0, 2.0, 4.0, 8.0);
  if (*rc::gen::inRange(0, 4) > 0) {
    kernel.launch.grid = {draw_extent(), 1 + draw_extent() % 8, 1};
    kernel.launch.block = {*rc::gen::element<std::int64_t>(32, 64, 128, 256, 1024), 1, 1};
    kernel.launch.registers_per_thread = *rc::gen::element(0, 16, 64, 255);
    kernel.launch.shared_bytes = *rc::gen::element<std::int64_t>(0, 1024, 49152, 200'000);
  }
  kernel.launches = 1 + draw_extent() % 5;
  kernel.total = from_nanoseconds(kernel.launches * draw_nanoseconds());
  return kernel;
}

inline DistinctCopy draw_copy() {
  DistinctCopy copy;
  copy.kind = *rc::gen::element(CopyKind::kHostToDevice, CopyKind::kDeviceToHost,
                                CopyKind::kDeviceToDevice, CopyKind::kPeer, CopyKind::kSet);
  copy.pageable = *rc::gen::arbitrary<bool>();
  copy.count = 1;
  copy.bytes = Bytes(static_cast<double>(draw_extent() * draw_extent()));
  copy.total = from_nanoseconds(draw_nanoseconds());
  return copy;
}

/// A host that calls, streams that run one thing after the other, now and then a synchronisation.
inline Step draw_step(const Workload& workload) {
  Step step;
  std::int64_t host = 0;
  std::array<std::int64_t, 3> stream_free = {0, 0, 0};
  const int count = *rc::gen::inRange(1, 25);
  for (int i = 0; i < count; ++i) {
    StepEvent event;
    host += draw_nanoseconds() / 100;
    event.host_start = host;
    const int kind = *rc::gen::inRange(0, 8);
    const auto stream = static_cast<std::size_t>(*rc::gen::inRange(0, 3));
    event.stream = static_cast<std::int32_t>(stream);
    host += 3'000 + draw_nanoseconds() / 100;
    if (kind == 7 && i > 0) {
      event.kind = EventKind::kSync;
      if (*rc::gen::arbitrary<bool>()) event.stream = -1;
      const std::int64_t awaited = event.stream < 0
                                       ? *std::max_element(stream_free.begin(), stream_free.end())
                                       : stream_free[stream];
      host = std::max(host, awaited);
    } else {
      const bool copy = kind == 6 && !workload.copies.empty();
      event.kind = copy ? EventKind::kCopy : EventKind::kKernel;
      const std::size_t items = copy ? workload.copies.size() : workload.kernels.size();
      const auto item = *rc::gen::inRange<std::size_t>(0, items);
      event.item = static_cast<std::int32_t>(item);
      event.copy_bytes = copy ? static_cast<std::int64_t>(workload.copies[item].bytes.value()) : 0;
      event.device_start = std::max(stream_free[stream], event.host_start + 5'000);
      event.device_end = event.device_start + draw_nanoseconds();
      stream_free[stream] = event.device_end;
    }
    event.host_end = host;
    if (event.kind != EventKind::kSync && *rc::gen::inRange(0, 6) == 0) {
      event.host_start = event.host_end = kUnknownTime;  // its call is not recorded
    }
    step.events.push_back(event);
  }
  step.host_tail = draw_nanoseconds() / 10;
  const std::int64_t end =
      std::max(host + step.host_tail, *std::max_element(stream_free.begin(), stream_free.end()));
  step.length = from_nanoseconds(end);
  return step;
}

inline Workload draw_workload() {
  Workload workload;
  workload.kind = "pytorch-trace";
  workload.framework = *rc::gen::element<std::string>("PyTorch", "");
  workload.steps = 1;
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i) workload.kernels.push_back(draw_kernel());
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) workload.copies.push_back(draw_copy());
  workload.step = draw_step(workload);
  workload.step_length = workload.step.length * (draw_factor() / 2);
  workload.busy = workload.step_length * 0.5;
  return workload;
}

}  // namespace uplift::property
