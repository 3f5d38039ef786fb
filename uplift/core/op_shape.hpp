// SPDX-License-Identifier: Apache-2.0
// The shape of one operation, as in an op table, and the work it implies: FLOPs and the least bytes
// that must move between DRAM and the chip. Formulas are listed in docs/method.md, section 2.
#pragma once

#include "uplift/core/quantity.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <variant>

namespace uplift {

/// b products C[m,n] = A[m,k] B[k,n]; C is written, not read.
struct GemmShape {
  std::int64_t b = 1, m = 1, n = 1, k = 1;
  bool operator==(const GemmShape&) const = default;
};

enum class ConvPass { kForward, kDataGradient, kWeightGradient };

/// A convolution over up to three spatial axes (unused axes are 1). `spatial` is the input of the
/// forward pass, `out` its output, whichever pass is run. c: input channels, k: output channels.
struct ConvShape {
  std::int64_t n = 1, c = 1, k = 1, groups = 1;
  std::array<std::int64_t, 3> spatial = {1, 1, 1};
  std::array<std::int64_t, 3> filter = {1, 1, 1};
  std::array<std::int64_t, 3> out = {1, 1, 1};
  ConvPass pass = ConvPass::kForward;
  bool operator==(const ConvShape&) const = default;
};

struct AttentionShape {
  std::int64_t b = 1, q_heads = 1, kv_heads = 1, q_len = 1, kv_len = 1, d = 1;
  bool causal = false;
  bool backward = false;
  bool operator==(const AttentionShape&) const = default;
};

/// Anything whose time follows the elements it reads and writes: elementwise, softmax, norms,
/// reductions, layout changes. Counts are elements over all tensors of one call.
struct TensorShape {
  std::int64_t read = 0;
  std::int64_t written = 0;
  bool operator==(const TensorShape&) const = default;
};

/// monostate: the recording does not tell.
using OpShape = std::variant<std::monostate, GemmShape, ConvShape, AttentionShape, TensorShape>;

/// True unless the shape is unknown.
[[nodiscard]] bool is_known(const OpShape& shape);

/// FLOPs of one call; a fused multiply-add is two. 0 for TensorShape and unknown shapes.
[[nodiscard]] Flops flops(const OpShape& shape);

/// Least DRAM traffic of one call with `element_bytes` per element: each operand moved once.
/// 0 for unknown shapes.
[[nodiscard]] Bytes least_bytes(const OpShape& shape, double element_bytes);

/// `b=1;m=4096;n=4096;k=4096`, as in an op table; empty for unknown shapes.
[[nodiscard]] std::string render_shape(const OpShape& shape);

}  // namespace uplift
