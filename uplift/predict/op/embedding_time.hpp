// SPDX-License-Identifier: Apache-2.0
// Embeddings: `rows` rows of `cols` elements gathered from a table. Reads come in sectors of 32
// bytes and rows lie anywhere in the table; the backward pass sorts the indices and adds up the
// rows that met the same entry.
//
//   time = floor + ((bytes / DRAM rate)^3 + (elements x instructions / instructions a
//   second)^3)^(1/3)
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct EmbeddingConstants {
  double dram = 0.85;      ///< share of the stream rate that gathers reach
  double warp_issue = 25;  ///< warp instructions for 32 elements
  double sort_passes = 8;  ///< kernels in which the backward pass sorts its indices
};

[[nodiscard]] OpTime estimate_embedding(const Op& op, const OpCard& card,
                                        const EmbeddingConstants& constants);

[[nodiscard]] const OpFamily& embedding_family();

}  // namespace uplift::predict
