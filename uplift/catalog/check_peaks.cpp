// SPDX-License-Identifier: Apache-2.0
#include "uplift/catalog/check_peaks.hpp"

#include "uplift/core/gpu_fields.hpp"

#include <cmath>

namespace uplift::catalog {
namespace {

enum class Engine { kCudaCores, kTensorHalfSums, kTensorSingleSums };

/// Where a peak comes from. `kTensorSingleSums` formats accumulate in FP32, which GeForce boards do
/// at half rate; FP64 and integers accumulate in their own width, FP16 may in FP16.
struct PeakRule {
  std::string_view path;
  std::string_view format;
  Engine engine;
};

constexpr PeakRule kRules[] = {
    {"peak.dense.fp64", "fp64", Engine::kCudaCores},
    {"peak.dense.fp64_tc", "fp64", Engine::kTensorHalfSums},
    {"peak.dense.fp32", "fp32", Engine::kCudaCores},
    {"peak.dense.tf32", "tf32", Engine::kTensorSingleSums},
    {"peak.dense.bf16", "bf16", Engine::kTensorSingleSums},
    {"peak.dense.fp16", "fp16", Engine::kTensorSingleSums},
    {"peak.dense.fp8", "fp8", Engine::kTensorSingleSums},
    {"peak.dense.int8", "int8", Engine::kTensorHalfSums},
    {"peak.dense.int4", "int4", Engine::kTensorHalfSums},
    {"peak.other.fp4", "fp4", Engine::kTensorSingleSums},
    {"peak.other.fp16_cuda", "fp16", Engine::kCudaCores},
    {"peak.other.fp16_fp16acc", "fp16", Engine::kTensorHalfSums},
    {"peak.other.int8_dp4a", "int8", Engine::kCudaCores},
};

}  // namespace

std::vector<PeakCheck> check_peaks(const Gpu& gpu, const CapabilityFormats& formats) {
  std::vector<PeakCheck> checks;
  for (const PeakRule& rule : kRules) {
    const MaybeFact& stated = find_gpu_field(rule.path)->read(gpu);
    const FormatSupport* support = formats.find(rule.format);
    if (!stated || support == nullptr || !gpu.sm_count) continue;
    const bool tensor = rule.engine != Engine::kCudaCores;
    const auto rate = tensor ? support->tensor_rate : support->cuda_core_rate;
    // FP64 tensor peaks are quoted at the CUDA-core clock, the others at the tensor clock.
    const bool own_clock = tensor && rule.path != "peak.dense.fp64_tc";
    const MaybeFact& clock = own_clock && gpu.tensor_clock ? gpu.tensor_clock : gpu.boost_clock;
    if (!rate || !clock) continue;
    const double share = rule.engine == Engine::kTensorSingleSums && gpu.fp32_accumulate_ratio
                             ? gpu.fp32_accumulate_ratio->value
                             : 1.0;
    PeakCheck check;
    check.path = rule.path;
    check.stated = stated->value;
    check.computed = gpu.sm_count->value * *rate * share * clock->value;
    check.agrees = std::abs(check.stated / check.computed - 1.0) <= kPeakTolerance;
    for (const PeakException& exception : gpu.peak_exceptions) {
      if (exception.path == rule.path) check.exception_reason = exception.reason;
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace uplift::catalog
