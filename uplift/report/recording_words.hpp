// SPDX-License-Identifier: Apache-2.0
// How answers about a recording name it and its kernels.
#pragma once

#include "uplift/core/advice.hpp"
#include "uplift/core/kernel_class.hpp"

#include <string>
#include <string_view>

namespace uplift::report {

/// `PyTorch recording on NVIDIA H200, 2 complete steps, 1,338 kernel launches of 211 distinct
/// kernels.`
[[nodiscard]] std::string recording_sentence(const WorkloadFacts& workload,
                                             const std::string& gpu_name);

/// `mm ampere_bf16_s16816gemm`: the operator, without one the class, and the bare name of the
/// kernel's function.
[[nodiscard]] std::string kernel_label(std::string_view name, std::string_view op,
                                       KernelClass kernel_class);

}  // namespace uplift::report
