// SPDX-License-Identifier: Apache-2.0
// Embeddings: `rows` rows of `cols` elements gathered from a table. Reads come in sectors of 32
// bytes and rows lie anywhere in the table; the backward pass sorts the indices and adds up the
// rows that met the same entry.
//
//   time   = floor + (memory^3 + work^3)^(1/3)
//   memory = bytes over the DRAM rate
//   work   = blocks x block_cycles / clock                       rows of whole 16-byte loads
//          = warps of elements x warp_issue / instructions a second            other rows
//
// PyTorch copies rows that fill 16-byte loads with a block of threads for each 4 KiB of a row
// (vectorized_gather_kernel), and blocks start one after the other on the whole card: short rows
// take the time of their starts. Other rows go element by element, each with divisions of 64-bit
// places. The defaults are what both took on an H200, data/measured.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct EmbeddingConstants {
  double dram = 0.85;         ///< share of the stream rate that gathers reach
  double block_cycles = 1.2;  ///< cycles between the starts of two blocks on a card
  double warp_issue = 95;     ///< warp instructions for 32 elements taken one by one
  double sort_passes = 8;     ///< kernels in which the backward pass sorts its indices
};

[[nodiscard]] OpTime estimate_embedding(const Op& op, const OpCard& card,
                                        const EmbeddingConstants& constants);

[[nodiscard]] const OpFamily& embedding_family();

}  // namespace uplift::predict
