// SPDX-License-Identifier: Apache-2.0
// What the name of a device kernel, or of the operator that launched it, tells: what it computes,
// in which arithmetic, and for convolutions which pass. Names are those of PyTorch, cuBLAS, cuDNN,
// CUTLASS, FlashAttention, Triton and NCCL; docs/method.md, section 1, lists the rules.
#pragma once

#include "uplift/core/kernel_class.hpp"
#include "uplift/core/math.hpp"
#include "uplift/core/op_shape.hpp"

#include <optional>
#include <string_view>

namespace uplift::read {

/// By the kernel's name, then by the operator's; kOther when neither tells.
[[nodiscard]] KernelClass classify_kernel(std::string_view kernel, std::string_view op);

/// The arithmetic that the kernel's name states; empty when it states none.
[[nodiscard]] std::optional<Math> kernel_math(std::string_view kernel);

/// The arithmetic of matrix work on inputs of a framework type (`float`, `c10::Half`, …) when the
/// kernel's name does not state it; empty for types without arithmetic of their own.
[[nodiscard]] std::optional<Math> type_math(std::string_view type);

/// Bytes of one element of a framework type; 0 if unknown.
[[nodiscard]] double type_bytes(std::string_view type);

/// Bytes of one element as the name of a copying kernel states them (`OpaqueType<2u>`); 0 if not.
[[nodiscard]] double opaque_bytes(std::string_view kernel);

/// The pass that a convolution kernel's name states, if it does.
[[nodiscard]] std::optional<ConvPass> conv_pass(std::string_view kernel);

/// True for the kernels of an operator that do its arithmetic, rather than prepare or finish it
/// (layout changes, Winograd transforms, split-K reductions).
[[nodiscard]] bool does_arithmetic(KernelClass kernel_class, std::string_view kernel);

/// True for names that AMD's runtime and libraries give (`Cijk_…`, `__amd_rocclr_…`).
[[nodiscard]] bool is_amd_kernel(std::string_view kernel);

}  // namespace uplift::read
