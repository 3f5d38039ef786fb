// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/parse_op.hpp"

#include "uplift/read/op_table/shape_text.hpp"

#include <fmt/format.h>

#include <array>

namespace uplift::read {
namespace {

constexpr std::int64_t kLargestBytes = std::int64_t{1} << 50;  ///< 1 PiB in one copy
constexpr std::array<std::string_view, 2> kPasses = {"fwd", "bwd"};

bool parse_pass(ShapeText& text, bool& backward) {
  std::size_t pass = 0;
  if (!text.take_word("pass", kPasses, pass)) return false;
  backward = pass == 1;
  return true;
}

void parse_gemm(ShapeText& text, OpShape& shape) {
  static constexpr std::array<std::string_view, 4> kLayouts = {"nn", "nt", "tn", "tt"};
  auto& s = shape.emplace<GemmShape>();
  std::size_t layout = kLayouts.size();
  text.take("b", s.b) && text.need("m", s.m) && text.need("n", s.n) && text.need("k", s.k) &&
      text.take_word("trans", kLayouts, layout);
  if (layout < kLayouts.size()) s.trans = static_cast<GemmLayout>(layout + 1);
  text.finish("b, m, n, k, trans, dtype, out_dtype");
}

/// The output of the forward pass, as frameworks compute it (docs/method.md, section 2).
void add_conv_outputs(ShapeText& text, const std::array<std::int64_t, 3>& pad, ConvShape& s) {
  if (s.c % s.groups != 0 || s.k % s.groups != 0) {
    text.fail(fmt::format("groups={} does not divide c={} and k={}", s.groups, s.c, s.k));
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    // All of them are at most 2^40; the product is formed in double first.
    const double reach = static_cast<double>(s.dilation[i]) * static_cast<double>(s.filter[i] - 1);
    const std::int64_t padded = s.spatial[i] + 2 * pad[i];
    if (reach >= static_cast<double>(padded)) {
      text.fail("the filter is larger than the padded input");
      return;
    }
    s.out[i] = (padded - s.dilation[i] * (s.filter[i] - 1) - 1) / s.stride[i] + 1;
  }
}

void parse_conv(ShapeText& text, OpKind kind, OpShape& shape) {
  static constexpr std::array<std::string_view, 3> kConvPasses = {"fwd", "dgrad", "wgrad"};
  const bool deep = kind == OpKind::kConv3d;
  const std::size_t first = deep ? 0 : 1;
  auto& s = shape.emplace<ConvShape>();
  std::array<std::int64_t, 3> pad = {0, 0, 0};
  std::size_t pass = 0;
  const auto axes = [&](std::array<std::int64_t, 3>& all) { return std::span(all).subspan(first); };
  text.need("n", s.n) && text.need("c", s.c) && (!deep || text.need("d", s.spatial[0])) &&
      text.need("h", s.spatial[1]) && text.need("w", s.spatial[2]) && text.need("k", s.k) &&
      (!deep || text.need("t", s.filter[0])) && text.need("r", s.filter[1]) &&
      text.need("s", s.filter[2]) && text.take_axes("stride", axes(s.stride), 1, true) &&
      text.take_axes("pad", axes(pad), 0, true) &&
      text.take_axes("dilation", axes(s.dilation), 1, true) && text.take("groups", s.groups) &&
      text.take_word("pass", kConvPasses, pass);
  s.pass = static_cast<ConvPass>(pass);
  if (text.ok()) add_conv_outputs(text, pad, s);
  text.finish(deep ? "n, c, d, h, w, k, t, r, s, stride, pad, dilation, groups, pass, dtype, "
                     "out_dtype"
                   : "n, c, h, w, k, r, s, stride, pad, dilation, groups, pass, dtype, out_dtype");
}

void parse_attention(ShapeText& text, OpShape& shape) {
  auto& s = shape.emplace<AttentionShape>();
  text.take("b", s.b) && text.need("q_heads", s.q_heads);
  s.kv_heads = s.q_heads;
  text.take("kv_heads", s.kv_heads) && text.need("q_len", s.q_len);
  s.kv_len = s.q_len;
  text.take("kv_len", s.kv_len) && text.need("d", s.d) && text.take_flag("causal", s.causal) &&
      parse_pass(text, s.backward);
  if (text.ok() && s.q_heads % s.kv_heads != 0) {
    text.fail(fmt::format("q_heads={} is not a multiple of kv_heads={}", s.q_heads, s.kv_heads));
  }
  text.finish("b, q_heads, kv_heads, q_len, kv_len, d, causal, pass, dtype, out_dtype");
}

void parse_rows(ShapeText& text, OpKind kind, OpShape& shape) {
  const bool has_pass = kind == OpKind::kSoftmax || kind == OpKind::kLayerNorm;
  auto& s = shape.emplace<RowsShape>();
  text.need("rows", s.rows) && text.need("cols", s.cols) &&
      (!has_pass || parse_pass(text, s.backward));
  text.finish(has_pass ? "rows, cols, pass, dtype, out_dtype" : "rows, cols, dtype, out_dtype");
}

void parse_elementwise(ShapeText& text, OpShape& shape, std::string& remark) {
  constexpr std::int64_t kMostTensors = 1024;
  auto& s = shape.emplace<ElementwiseShape>();
  text.need("n", s.n) && text.take("inputs", s.inputs, 0, kMostTensors) &&
      text.take("outputs", s.outputs, 1, kMostTensors);
  if (const std::string_view op = text.take_text("op"); !op.empty()) {
    std::size_t i = 0;
    while (i < kElementwiseWords.size() && !same_word(op, kElementwiseWords[i])) ++i;
    if (i < kElementwiseWords.size()) {
      s.op = static_cast<ElementwiseOp>(i);
    } else {
      remark = fmt::format("op {} is taken as other", quoted_for_note(op));
    }
  }
  text.finish("n, inputs, outputs, op, dtype, out_dtype");
}

void parse_copy(ShapeText& text, OpShape& shape) {
  static constexpr std::array<std::string_view, 3> kDirections = {"h2d", "d2h", "d2d"};
  auto& s = shape.emplace<CopyShape>();
  std::size_t direction = kDirections.size();
  text.need("bytes", s.bytes, kLargestBytes) && text.take_word("dir", kDirections, direction);
  if (text.ok() && direction == kDirections.size()) {
    text.fail("the shape of memcpy lacks dir (h2d, d2h or d2d)");
    return;
  }
  s.direction = static_cast<CopyDirection>(direction);
  text.finish("bytes, dir");
}

void parse_collective(ShapeText& text, OpShape& shape) {
  constexpr std::int64_t kMostRanks = 1'000'000;
  auto& s = shape.emplace<CollectiveShape>();
  text.need("bytes", s.bytes, kLargestBytes) && text.need("ranks", s.ranks, kMostRanks) &&
      text.take("nodes", s.nodes, 1, kMostRanks);
  if (text.ok() && s.ranks == 1) {
    text.fail("ranks is 1: nothing is sent");
  } else if (text.ok() && s.ranks % s.nodes != 0) {
    text.fail(fmt::format("ranks={} is not a multiple of nodes={}", s.ranks, s.nodes));
  }
  text.finish("bytes, ranks, nodes, dtype, out_dtype");
}

/// `grid` and `block` are counts, or extents joined by `x`.
void parse_kernel(ShapeText& text, OpShape& shape) {
  constexpr std::int64_t kMostThreads = 1024;   // of one block, on every card (CUDA C++
  constexpr std::int64_t kMostRegisters = 255;  // programming guide, technical specifications)
  auto& s = shape.emplace<KernelShape>();
  const auto take_product = [&](std::string_view key, std::int64_t most, std::int64_t& value) {
    std::array<std::int64_t, 3> extents = {0, 1, 1};
    if (!text.take_axes(key, extents, 1, false)) return false;
    const double product = static_cast<double>(extents[0]) * static_cast<double>(extents[1]) *
                           static_cast<double>(extents[2]);
    if (product > static_cast<double>(most)) {
      return text.fail(fmt::format("{} is {:.0f}; the most is {}", key, product, most));
    }
    value = extents[0] * extents[1] * extents[2];
    return true;
  };
  text.take_amount("flops", s.flops) && text.take_amount("bytes", s.bytes) &&
      take_product("grid", kLargestExtent, s.grid) &&
      take_product("block", kMostThreads, s.block) &&
      text.take("regs", s.registers, 0, kMostRegisters) && text.take("smem", s.shared_bytes, 0);
  text.finish("flops, bytes, grid, block, regs, smem");
}

void parse_shape(ShapeText& text, OpKind kind, OpShape& shape, std::string& remark) {
  switch (kind) {
    case OpKind::kGemm:
      return parse_gemm(text, shape);
    case OpKind::kConv2d:
    case OpKind::kConv3d:
      return parse_conv(text, kind, shape);
    case OpKind::kAttention:
      return parse_attention(text, shape);
    case OpKind::kSoftmax:
    case OpKind::kLayerNorm:
    case OpKind::kReduce:
    case OpKind::kEmbedding:
      return parse_rows(text, kind, shape);
    case OpKind::kElementwise:
      return parse_elementwise(text, shape, remark);
    case OpKind::kFft: {
      auto& s = shape.emplace<FftShape>();
      s.n[0] = 0;
      text.take("batch", s.batch) && text.take_axes("n", s.n, 1, false);
      if (text.ok() && s.n[0] == 0) text.fail("the shape of fft lacks n");
      text.finish("batch, n, dtype, out_dtype");
      return;
    }
    case OpKind::kSpmv: {
      auto& s = shape.emplace<SpmvShape>();
      text.need("rows", s.rows) && text.need("nnz", s.nnz);
      text.finish("rows, nnz, dtype, out_dtype");
      return;
    }
    case OpKind::kStencil: {
      auto& s = shape.emplace<StencilShape>();
      text.need("points", s.points) && text.take("radius", s.radius);
      text.finish("points, radius, dtype, out_dtype");
      return;
    }
    case OpKind::kMemcpy:
      return parse_copy(text, shape);
    case OpKind::kAllReduce:
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
    case OpKind::kAllToAll:
    case OpKind::kSendRecv:
      return parse_collective(text, shape);
    case OpKind::kKernel:
      return parse_kernel(text, shape);
  }
}

/// Kinds whose time does not depend on a number format, or need not.
bool math_may_be_empty(OpKind kind) {
  return kind == OpKind::kMemcpy || kind >= OpKind::kAllReduce;
}

bool parse_kind(std::string_view text, OpKind& kind, std::string& note) {
  for (std::size_t i = 0; i < kOpKindWords.size(); ++i) {
    if (same_word(text, kOpKindWords[i])) {
      kind = static_cast<OpKind>(i);
      return true;
    }
  }
  note = text.empty() ? "kind is empty"
                      : fmt::format("there is no kind {}; kinds are {}", quoted_for_note(text),
                                    fmt::join(kOpKindWords, ", "));
  return false;
}

bool parse_math_word(std::string_view text, OpKind kind, Math& math, std::string& note) {
  for (const Math one : kMaths) {
    if (same_word(text, word(one))) {
      math = one;
      return true;
    }
  }
  math = Math::kFp32;
  if (text.empty() && math_may_be_empty(kind)) return true;
  note = fmt::format(
      "{}; math is one of fp64, fp64_tc, fp32, tf32, fp16, bf16, fp8, int8, int4",
      text.empty() ? "math is empty" : fmt::format("there is no math {}", quoted_for_note(text)));
  return false;
}

/// Bytes of one stored element.
bool parse_storage(std::string_view key, std::string_view text, double& bytes, std::string& note) {
  struct Storage {
    std::string_view name;
    double bytes;
  };
  static constexpr std::array<Storage, 12> kStorages = {{{"fp64", 8},
                                                         {"fp32", 4},
                                                         {"tf32", 4},
                                                         {"fp16", 2},
                                                         {"bf16", 2},
                                                         {"fp8", 1},
                                                         {"int64", 8},
                                                         {"int32", 4},
                                                         {"int16", 2},
                                                         {"int8", 1},
                                                         {"int4", 0.5},
                                                         {"bool", 1}}};
  if (text.empty()) return true;
  for (const Storage& storage : kStorages) {
    if (same_word(text, storage.name)) {
      bytes = storage.bytes;
      return true;
    }
  }
  note = fmt::format(
      "there is no {} {}; it is one of fp64, fp32, tf32, fp16, bf16, fp8, int64, int32, int16, "
      "int8, int4, bool",
      key, quoted_for_note(text));
  return false;
}

}  // namespace

bool parse_op(const OpText& text, Op& op, std::string& note) {
  if (!parse_kind(trimmed(text.kind), op.kind, note)) return false;
  if (!parse_math_word(trimmed(text.math), op.kind, op.math, note)) return false;
  std::string remark;
  ShapeText shape(text.shape, word(op.kind), note);
  // A key of the shape wins over the column: it is nearer.
  const std::string_view own = shape.take_text("dtype");
  const std::string_view own_out = shape.take_text("out_dtype");
  parse_shape(shape, op.kind, op.shape, remark);
  if (!shape.ok()) return false;
  op.element_bytes = storage_bytes(op.math);
  if (!parse_storage("dtype", own.empty() ? trimmed(text.dtype) : own, op.element_bytes, note)) {
    return false;
  }
  op.out_element_bytes = op.element_bytes;
  if (!parse_storage("out_dtype", own_out.empty() ? trimmed(text.out_dtype) : own_out,
                     op.out_element_bytes, note)) {
    return false;
  }
  note = std::move(remark);
  return true;
}

}  // namespace uplift::read
