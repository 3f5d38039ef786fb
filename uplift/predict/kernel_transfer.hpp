// SPDX-License-Identifier: Apache-2.0
// The time of a recorded kernel or copy on another card: both cards' rooflines, with the efficiency
// that the source card was seen to reach carried over.
#pragma once

#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/kernel_work.hpp"
#include "uplift/predict/op/op_predictor.hpp"

#include <string_view>

namespace uplift::predict {

/// What the framework does differently on the target without any change to the program.
struct FrameworkDefaults {
  bool tf32_convolutions = false;  ///< FP32 convolutions run in TF32 (PyTorch on 8.0 and later)
};

/// PyTorch allows TF32 in cuDNN by default, so a card that gains TF32 uses it for convolutions; a
/// source that has TF32 already shows whether the program switched it off.
[[nodiscard]] FrameworkDefaults framework_defaults(std::string_view framework,
                                                   const model::GpuModel& source,
                                                   const model::GpuModel& target);

struct Transfer {
  Seconds target;
  double log_half_width = 0;  ///< 90 %: target / e^w … target e^w
  double narrowing = 1;       ///< of log_half_width by a profile of the target: at most 1
  Bound source_bound = Bound::kLaunch;
  Bound target_bound = Bound::kLaunch;
  Math target_math = Math::kFp32;  ///< what runs on the target
  bool math_changed = false;       ///< it is not what ran on the source
};

/// What a kernel asks for and how long the model gives it on its own card: the part of a transfer
/// that does not depend on the target.
struct PreparedKernel {
  KernelWork work;
  KernelTime on_source;
};
[[nodiscard]] PreparedKernel prepare_kernel(const DistinctKernel& kernel,
                                            const model::GpuModel& source,
                                            const model::Parameters& parameters);

/// One launch of `kernel`, which took kernel.mean() on `source`. `ops`, from `source` to `target`:
/// predicts the kernels that are operations of an op table.
[[nodiscard]] Transfer transfer_kernel(const DistinctKernel& kernel, const PreparedKernel& prepared,
                                       const model::GpuModel& source, const model::GpuModel& target,
                                       const FrameworkDefaults& defaults,
                                       const model::Parameters& parameters, const OpPredictor& ops);

/// The same, prepared here.
[[nodiscard]] Transfer transfer_kernel(const DistinctKernel& kernel, const model::GpuModel& source,
                                       const model::GpuModel& target,
                                       const FrameworkDefaults& defaults,
                                       const model::Parameters& parameters);

/// The same kernel on its own card in another format: what `tf32` or 16-bit arithmetic would take.
[[nodiscard]] Transfer reformat_kernel(const DistinctKernel& kernel, const PreparedKernel& prepared,
                                       Math math, const model::GpuModel& card,
                                       const model::Parameters& parameters);

/// 90 % half-width of ln time with which this kernel is carried between two cards of the basis.
[[nodiscard]] double kernel_half_width(const DistinctKernel& kernel, const KernelWork& work,
                                       model::Basis basis, const model::Parameters& parameters);

/// One copy or set of `bytes` that took `time` on `source`.
[[nodiscard]] Transfer transfer_copy(const DistinctCopy& copy, Bytes bytes, Seconds time,
                                     const model::GpuModel& source, const model::GpuModel& target,
                                     const model::Parameters& parameters);

}  // namespace uplift::predict
