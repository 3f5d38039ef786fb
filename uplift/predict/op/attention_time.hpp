// SPDX-License-Identifier: Apache-2.0
// Fused attention as FlashAttention runs it (Dao, FlashAttention-2, 2023; Shah et al.,
// FlashAttention-3, 2024): tiles of query rows, those of all heads that share keys packed into one
// tile, each walking over its keys. Where a step has too few tiles to fill the card, keys are split
// by the rule of its source (hopper/heuristics.h), and a second kernel combines the parts. Prefill
// (many queries) and decode (a few queries against a cache) share the formula, not the constants.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct AttentionConstants {
  double tensor = 0.85;    ///< share of the GEMM rate reached by the two products
  double softmax = 0.4;    ///< exponentials that no product hides, share of 16 a cycle and SM
  double stream = 0.9;     ///< share of the stream rate
  double append = 4.0;     ///< traffic of one new key or value besides reading it, elements
  double call = 1.2e4;     ///< cycles of a call besides the tiles, helper kernels included
  double sequence = 20.0;  ///< cycles per sequence, to find its tiles
  double tile = 2.6e-6;    ///< s that begin and end of a tile occupy an SM of 1.5 GHz
  double tail = 1.0;       ///< of the longest tile: idle at the end where two share an SM
  double alone = 0.9;      ///< share of the GEMM rate that one SM with one tile reaches
  double split = 1.15;     ///< slow-down of the kernel that can split keys
  double combine = 6e3;    ///< cycles of the second kernel of a split
  double overlap = 2.5;    ///< exponent of the sum of arithmetic and traffic; large: hidden
  double backward = 0.75;  ///< rate of the backward pass over that of the forward pass
};

/// For AttentionShape; other shapes take the time of an empty kernel.
[[nodiscard]] OpTime estimate_attention(const Op& op, const OpCard& card,
                                        const AttentionConstants& constants);

/// Several queries a sequence, and the backward pass.
[[nodiscard]] const OpFamily& attention_prefill_family();

/// At most a few queries a sequence against cached keys and values.
[[nodiscard]] const OpFamily& attention_decode_family();

/// The one of the two that `op` belongs to.
[[nodiscard]] const OpFamily& attention_family(const Op& op);

}  // namespace uplift::predict
