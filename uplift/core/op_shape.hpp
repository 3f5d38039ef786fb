// SPDX-License-Identifier: Apache-2.0
// The shape of one operation, as in an op table, and the work it implies: FLOPs and the least bytes
// that must move between DRAM and the chip. Formulas are listed in docs/method.md, section 2.
#pragma once

#include "uplift/core/quantity.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace uplift {

/// How A and B lie in memory, row-major: n as in the formula below, t transposed.
enum class GemmLayout : std::uint8_t { kUnknown, kNN, kNT, kTN, kTT };

/// b products C[m,n] = A[m,k] B[k,n]; C is written, not read.
struct GemmShape {
  std::int64_t b = 1, m = 1, n = 1, k = 1;
  GemmLayout trans = GemmLayout::kUnknown;
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
  std::array<std::int64_t, 3> stride = {1, 1, 1};
  std::array<std::int64_t, 3> dilation = {1, 1, 1};
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

/// `rows` independent rows of `cols` elements: softmax, layer norm, reductions along a row (one
/// output a row), embeddings (rows gathered from a table).
struct RowsShape {
  std::int64_t rows = 1, cols = 1;
  bool backward = false;
  bool operator==(const RowsShape&) const = default;
};

/// What one element costs beyond its traffic.
enum class ElementwiseOp : std::uint8_t {
  kAdd,
  kMul,
  kDiv,
  kPow,
  kTanh,
  kGelu,
  kRelu,
  kExp,
  kOther
};

inline constexpr std::array<std::string_view, 9> kElementwiseWords = {
    "add", "mul", "div", "pow", "tanh", "gelu", "relu", "exp", "other"};

[[nodiscard]] constexpr std::string_view word(ElementwiseOp op) {
  return kElementwiseWords[static_cast<std::size_t>(op)];
}

/// `n` output elements from `inputs` tensors of as many elements, written to `outputs` tensors.
struct ElementwiseShape {
  std::int64_t n = 1;
  std::int64_t inputs = 1, outputs = 1;
  ElementwiseOp op = ElementwiseOp::kOther;
  bool operator==(const ElementwiseShape&) const = default;
};

/// `batch` transforms of n[0] x n[1] x n[2] complex points; unused axes are 1.
struct FftShape {
  std::int64_t batch = 1;
  std::array<std::int64_t, 3> n = {1, 1, 1};
  bool operator==(const FftShape&) const = default;
};

/// A sparse matrix of `rows` rows and `nnz` non-zeros in CSR, times a vector.
struct SpmvShape {
  std::int64_t rows = 1, nnz = 1;
  bool operator==(const SpmvShape&) const = default;
};

/// `points` grid points, each from its neighbours up to `radius` away along every axis.
struct StencilShape {
  std::int64_t points = 1, radius = 1;
  bool operator==(const StencilShape&) const = default;
};

enum class CopyDirection : std::uint8_t { kHostToDevice, kDeviceToHost, kDeviceToDevice };

struct CopyShape {
  std::int64_t bytes = 0;
  CopyDirection direction = CopyDirection::kDeviceToDevice;
  bool operator==(const CopyShape&) const = default;
};

/// `bytes` as nccl-tests counts them: all-reduce and send/receive the buffer of a rank; all-gather,
/// reduce-scatter and all-to-all the larger of a rank's two buffers.
struct CollectiveShape {
  std::int64_t bytes = 0, ranks = 1, nodes = 1;
  bool operator==(const CollectiveShape&) const = default;
};

/// Any other kernel: what is known of it; 0 is unknown.
struct KernelShape {
  double flops = 0, bytes = 0;
  std::int64_t grid = 0, block = 0, registers = 0, shared_bytes = 0;
  bool operator==(const KernelShape&) const = default;
};

/// monostate: the recording does not tell.
using OpShape = std::variant<std::monostate, GemmShape, ConvShape, AttentionShape, TensorShape,
                             RowsShape, ElementwiseShape, FftShape, SpmvShape, StencilShape,
                             CopyShape, CollectiveShape, KernelShape>;

/// True unless the shape is unknown.
[[nodiscard]] bool is_known(const OpShape& shape);

/// FLOPs of one call; a fused multiply-add is two. 0 for memory-bound and unknown shapes.
[[nodiscard]] Flops flops(const OpShape& shape);

/// Least DRAM traffic of one call with `element_bytes` per element: each operand moved once.
/// 0 for copies, collectives and shapes that do not tell their elements.
[[nodiscard]] Bytes least_bytes(const OpShape& shape, double element_bytes);

/// `b=1;m=4096;n=4096;k=4096`, as in an op table; empty for unknown shapes.
[[nodiscard]] std::string render_shape(const OpShape& shape);

}  // namespace uplift
