// SPDX-License-Identifier: Apache-2.0
// Sustained rates: published where known, otherwise what the data sheet lets expect.
#include "uplift/model/tensor.hpp"

#include "uplift/model/sustained_rate.hpp"

#include <fmt/format.h>

#include <optional>

namespace uplift::model {
namespace {

/// The next format that libraries fall back to when a card lacks one (docs/method.md, section 3.1):
/// TF32 and BF16 requests run in FP32 on the CUDA cores, FP8 in FP16, INT4 in INT8.
std::optional<Math> fallback(Math math) {
  switch (math) {
    case Math::kFp64Tc:
      return Math::kFp64;
    case Math::kTf32:
    case Math::kBf16:
    case Math::kFp16:
    case Math::kInt8:
      return Math::kFp32;
    case Math::kFp8:
      return Math::kFp16;
    case Math::kInt4:
      return Math::kInt8;
    case Math::kFp64:
    case Math::kFp32:
      return std::nullopt;
  }
  return std::nullopt;
}

/// The card's own sustained rate in a format, or nothing if it lacks the format.
std::optional<double> own_rate(const Gpu& gpu, Math math, Basis basis, const Parameters& parameters,
                               bool& any_published) {
  const std::size_t i = index(math);
  if (basis == Basis::kPublished && gpu.published.gemm[i]) {
    any_published = true;
    return gpu.published.gemm[i]->value;
  }
  if (gpu.dense_peak[i]) return sustained_rate(gpu, math, gpu.dense_peak[i]->value, parameters);
  if (math == Math::kFp16 && gpu.fp16_cuda_peak) {
    return sustained_cuda_core_rate(gpu, 16, gpu.fp16_cuda_peak->value, parameters);
  }
  if (math == Math::kInt8 && gpu.int8_dp4a_peak) {
    return sustained_cuda_core_rate(gpu, 8, gpu.int8_dp4a_peak->value, parameters);
  }
  return std::nullopt;
}

/// True if the card has an execution unit for the format.
bool has_unit(const Gpu& gpu, Math math) {
  return gpu.dense_peak[index(math)] || (math == Math::kFp16 && gpu.fp16_cuda_peak) ||
         (math == Math::kInt8 && gpu.int8_dp4a_peak);
}

}  // namespace

Result<TensorCeilings> estimate_tensor(const Gpu& gpu, Basis basis, const Parameters& parameters) {
  std::string missing;
  const auto need = [&](const MaybeFact& fact, std::string_view name) {
    if (!fact) missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
  need(gpu.sm_count, "SM count");
  need(gpu.boost_clock, "boost clock");
  need(gpu.dense_peak[index(Math::kFp32)], "FP32 peak");
  if (!missing.empty()) {
    return failure(ErrorKind::kUnsupported, gpu.id, "the catalog lacks its " + missing,
                   "give the numbers in a GPU file with --gpu-file");
  }
  TensorCeilings ceilings;
  ceilings.sm_count = gpu.sm_count->value;
  ceilings.clock = Hertz(gpu.boost_clock->value);
  if (gpu.board_power) ceilings.board_watts = gpu.board_power->value;
  if (gpu.threads_per_sm) ceilings.threads_per_sm = static_cast<int>(gpu.threads_per_sm->value);
  if (gpu.blocks_per_sm) ceilings.blocks_per_sm = static_cast<int>(gpu.blocks_per_sm->value);
  if (gpu.registers_per_sm) ceilings.registers_per_sm = gpu.registers_per_sm->value;
  ceilings.shared_bytes_per_sm =
      gpu.shared_bytes_per_sm ? gpu.shared_bytes_per_sm->value : 96.0 * 1024.0;
  for (const Math asked : kMaths) {
    std::optional<Math> math = asked;
    std::optional<double> rate;
    while (math && !(rate = own_rate(gpu, *math, basis, parameters, ceilings.any_published))) {
      math = fallback(*math);
    }
    if (!math) continue;  // FP64 on a card whose data sheet does not state it
    ceilings.sustained[index(asked)] = FlopsPerSecond(*rate);
    if (gpu.dense_peak[index(*math)]) {
      ceilings.peak[index(asked)] = FlopsPerSecond(gpu.dense_peak[index(*math)]->value);
    }
    // A published figure of a format without a peak of its own is the library's way around it.
    const bool emulated = !has_unit(gpu, *math) && fallback(*math);
    ceilings.choice[index(asked)] = {emulated ? *fallback(*math) : *math,
                                     emulated || *math != asked};
  }
  if (ceilings.sustained[index(Math::kFp64)].value() <= 0) {
    // Consumer and inference boards run FP64 at 1/32 or 1/64 of FP32 and often do not state it.
    const FlopsPerSecond slow = ceilings.sustained[index(Math::kFp32)] / 32.0;
    ceilings.sustained[index(Math::kFp64)] = slow;
    ceilings.sustained[index(Math::kFp64Tc)] = slow;
    ceilings.choice[index(Math::kFp64)] = {Math::kFp64, false};
    ceilings.choice[index(Math::kFp64Tc)] = {Math::kFp64, true};
  }
  return ceilings;
}

}  // namespace uplift::model
