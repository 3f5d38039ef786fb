// SPDX-License-Identifier: Apache-2.0
// FLOPs and least traffic of an operation from its shape (docs/method.md, section 2).
#include "uplift/core/op_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace uplift {
namespace {

// Products of user-given extents are formed in double: no overflow, and exact up to 2^53.
double product(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) * static_cast<double>(b);
}

double product(const std::array<std::int64_t, 3>& extents) {
  return product(extents[0], extents[1]) * static_cast<double>(extents[2]);
}

double conv_outputs(const ConvShape& s) { return product(s.n, s.k) * product(s.out); }

double conv_weights(const ConvShape& s) {
  return product(s.k, s.c) / static_cast<double>(s.groups) * product(s.filter);
}

double attention_flops(const AttentionShape& s) {
  // Two products of q_len x kv_len x d per query head; a causal mask aligned bottom right keeps
  // the fraction below. The backward pass runs five such products instead of two.
  const double q = static_cast<double>(s.q_len);
  const double kv = static_cast<double>(s.kv_len);
  const double kept = s.causal && s.kv_len >= s.q_len ? 1.0 - (q - 1.0) / (2.0 * kv) : 1.0;
  const double forward = 4.0 * product(s.b, s.q_heads) * q * kv * static_cast<double>(s.d) * kept;
  return s.backward ? 2.5 * forward : forward;
}

double attention_elements(const AttentionShape& s) {
  const double q = product(s.b, s.q_heads) * product(s.q_len, s.d);
  const double kv = product(s.b, s.kv_heads) * product(s.kv_len, s.d);
  // Forward: read Q, K, V, write O. Backward: read Q, K, V, O, dO, write dQ, dK, dV.
  return s.backward ? 4.0 * q + 4.0 * kv : 2.0 * q + 2.0 * kv;
}

struct CountFlops {
  double operator()(std::monostate) const { return 0.0; }
  double operator()(const GemmShape& s) const {
    return 2.0 * product(s.b, s.m) * product(s.n, s.k);
  }
  double operator()(const ConvShape& s) const {
    return 2.0 * conv_outputs(s) * static_cast<double>(s.c) / static_cast<double>(s.groups) *
           product(s.filter);
  }
  double operator()(const AttentionShape& s) const { return attention_flops(s); }
  double operator()(const FftShape& s) const {
    const double points = product(s.n);
    return 5.0 * static_cast<double>(s.batch) * points * std::log2(std::max(2.0, points));
  }
  double operator()(const SpmvShape& s) const { return 2.0 * static_cast<double>(s.nnz); }
  double operator()(const StencilShape& s) const {
    // A star in three dimensions: the centre and 2 x radius neighbours along each axis.
    return 2.0 * static_cast<double>(s.points) * (6.0 * static_cast<double>(s.radius) + 1.0);
  }
  double operator()(const KernelShape& s) const { return s.flops; }
  template <class Other>
  double operator()(const Other&) const {
    return 0.0;
  }
};

struct CountElements {
  double operator()(std::monostate) const { return 0.0; }
  double operator()(const GemmShape& s) const {
    return static_cast<double>(s.b) * (product(s.m, s.k) + product(s.k, s.n) + product(s.m, s.n));
  }
  double operator()(const ConvShape& s) const {
    return product(s.n, s.c) * product(s.spatial) + conv_weights(s) + conv_outputs(s);
  }
  double operator()(const AttentionShape& s) const { return attention_elements(s); }
  double operator()(const TensorShape& s) const {
    return static_cast<double>(s.read) + static_cast<double>(s.written);
  }
  double operator()(const RowsShape& s) const {
    return (s.backward ? 3.0 : 2.0) * product(s.rows, s.cols);
  }
  double operator()(const ElementwiseShape& s) const {
    return product(s.n, s.inputs) + product(s.n, s.outputs);
  }
  double operator()(const FftShape& s) const {
    return 4.0 * static_cast<double>(s.batch) * product(s.n);
  }
  double operator()(const SpmvShape& s) const {
    // Values and column indices, the row starts, the vector read and the one written.
    return 2.0 * static_cast<double>(s.nnz) + 3.0 * static_cast<double>(s.rows);
  }
  double operator()(const StencilShape& s) const { return 2.0 * static_cast<double>(s.points); }
  double operator()(const CopyShape&) const { return 0.0; }
  double operator()(const CollectiveShape&) const { return 0.0; }
  double operator()(const KernelShape&) const { return 0.0; }
};

struct Render {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const GemmShape& s) const {
    constexpr std::array<const char*, 5> kLayouts = {"", ";trans=nn", ";trans=nt", ";trans=tn",
                                                     ";trans=tt"};
    return fmt::format("b={};m={};n={};k={}{}", s.b, s.m, s.n, s.k,
                       kLayouts[static_cast<std::size_t>(s.trans)]);
  }
  std::string operator()(const ConvShape& s) const {
    constexpr std::array<const char*, 3> kPasses = {"fwd", "dgrad", "wgrad"};
    std::string text = fmt::format("n={};c={};", s.n, s.c);
    if (s.spatial[0] > 1 || s.filter[0] > 1) text += fmt::format("d={};", s.spatial[0]);
    text += fmt::format("h={};w={};k={};", s.spatial[1], s.spatial[2], s.k);
    if (s.spatial[0] > 1 || s.filter[0] > 1) text += fmt::format("t={};", s.filter[0]);
    text += fmt::format("r={};s={};", s.filter[1], s.filter[2]);
    if (s.groups != 1) text += fmt::format("groups={};", s.groups);
    return text + fmt::format("pass={}", kPasses[static_cast<std::size_t>(s.pass)]);
  }
  std::string operator()(const AttentionShape& s) const {
    return fmt::format("b={};q_heads={};kv_heads={};q_len={};kv_len={};d={};causal={}{}", s.b,
                       s.q_heads, s.kv_heads, s.q_len, s.kv_len, s.d, s.causal ? 1 : 0,
                       s.backward ? ";pass=bwd" : "");
  }
  std::string operator()(const TensorShape& s) const {
    return fmt::format("read={};written={}", s.read, s.written);
  }
  std::string operator()(const RowsShape& s) const {
    return fmt::format("rows={};cols={}{}", s.rows, s.cols, s.backward ? ";pass=bwd" : "");
  }
  std::string operator()(const ElementwiseShape& s) const {
    std::string text = fmt::format("n={};inputs={};outputs={}", s.n, s.inputs, s.outputs);
    if (s.op != ElementwiseOp::kOther) text += fmt::format(";op={}", word(s.op));
    return text;
  }
  std::string operator()(const FftShape& s) const {
    std::string text = fmt::format("batch={};n={}", s.batch, s.n[0]);
    for (std::size_t i = 1; i < 3; ++i) {
      if (s.n[i] > 1) text += fmt::format("x{}", s.n[i]);
    }
    return text;
  }
  std::string operator()(const SpmvShape& s) const {
    return fmt::format("rows={};nnz={}", s.rows, s.nnz);
  }
  std::string operator()(const StencilShape& s) const {
    return fmt::format("points={};radius={}", s.points, s.radius);
  }
  std::string operator()(const CopyShape& s) const {
    constexpr std::array<const char*, 3> kDirections = {"h2d", "d2h", "d2d"};
    return fmt::format("bytes={};dir={}", s.bytes,
                       kDirections[static_cast<std::size_t>(s.direction)]);
  }
  std::string operator()(const CollectiveShape& s) const {
    return fmt::format("bytes={};ranks={};nodes={}", s.bytes, s.ranks, s.nodes);
  }
  std::string operator()(const KernelShape& s) const {
    return fmt::format("flops={};bytes={};grid={};block={};regs={};smem={}", s.flops, s.bytes,
                       s.grid, s.block, s.registers, s.shared_bytes);
  }
};

}  // namespace

bool is_known(const OpShape& shape) { return !std::holds_alternative<std::monostate>(shape); }

Flops flops(const OpShape& shape) { return Flops(std::visit(CountFlops{}, shape)); }

Bytes least_bytes(const OpShape& shape, double element_bytes) {
  return Bytes(std::visit(CountElements{}, shape) * element_bytes);
}

std::string render_shape(const OpShape& shape) { return std::visit(Render{}, shape); }

}  // namespace uplift
