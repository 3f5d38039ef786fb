// SPDX-License-Identifier: Apache-2.0
// One operation as an op table names it: what is computed, in which format, on what shape. The
// kinds and their shape keys are listed in docs/formats.md.
#pragma once

#include "uplift/core/math.hpp"
#include "uplift/core/op_shape.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace uplift {

enum class OpKind : std::uint8_t {
  kGemm,           ///< GemmShape
  kConv2d,         ///< ConvShape
  kConv3d,         ///< ConvShape
  kAttention,      ///< AttentionShape
  kSoftmax,        ///< RowsShape
  kLayerNorm,      ///< RowsShape
  kElementwise,    ///< ElementwiseShape
  kReduce,         ///< RowsShape
  kEmbedding,      ///< RowsShape
  kFft,            ///< FftShape
  kSpmv,           ///< SpmvShape
  kStencil,        ///< StencilShape
  kMemcpy,         ///< CopyShape
  kAllReduce,      ///< CollectiveShape
  kAllGather,      ///< CollectiveShape
  kReduceScatter,  ///< CollectiveShape
  kAllToAll,       ///< CollectiveShape
  kSendRecv,       ///< CollectiveShape
  kKernel,         ///< KernelShape
};

inline constexpr std::array<std::string_view, 19> kOpKindWords = {
    "gemm",      "conv2d",        "conv3d",   "attention", "softmax", "layernorm", "elementwise",
    "reduce",    "embedding",     "fft",      "spmv",      "stencil", "memcpy",    "allreduce",
    "allgather", "reducescatter", "alltoall", "sendrecv",  "kernel"};

[[nodiscard]] constexpr std::string_view word(OpKind kind) {
  return kOpKindWords[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr std::optional<OpKind> parse_op_kind(std::string_view text) {
  for (std::size_t i = 0; i < kOpKindWords.size(); ++i) {
    if (kOpKindWords[i] == text) return static_cast<OpKind>(i);
  }
  return std::nullopt;
}

struct Op {
  OpKind kind = OpKind::kKernel;
  Math math = Math::kFp32;
  double element_bytes = 4;      ///< storage of one input element
  double out_element_bytes = 4;  ///< storage of one output element
  OpShape shape;
  bool operator==(const Op&) const = default;
};

}  // namespace uplift
