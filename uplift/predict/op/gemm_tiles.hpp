// SPDX-License-Identifier: Apache-2.0
// Which tiled kernel a library runs for a matrix product on CUDA cores, and how its blocks fill a
// card. Tiles are those in the names of cuBLAS kernels (`maxwell_sgemm_64x64_tn`,
// `volta_sgemm_32x128_nn`, `ampere_sgemm_128x128_nn`), one set to each generation of the library.
#pragma once

#include "uplift/core/op_shape.hpp"
#include "uplift/predict/op/op_card.hpp"

namespace uplift::predict {

/// How the second operand of C[m,n] = A[m,k] B lies in memory.
enum class Layout {
  kTransposed,  ///< B stored as [n,k], as the weight of a linear layer: `tn`
  kPlain,       ///< B stored as [k,n], as a batched product has it: `nn`
};

/// The product in the form that formulas need.
struct Product {
  double b = 1, m = 1, n = 1, k = 1;
  Layout layout = Layout::kTransposed;
};

struct Tiling {
  double columns = 1, rows = 1;  ///< outputs of one block, along n and along m
  double splits = 1;             ///< blocks that share a contraction
  double resident = 1;           ///< blocks that an SM holds
  double warps = 1;              ///< of a block
  double across = 1, down = 1;   ///< tiles along n and along m
  double steps = 1;              ///< of the contraction, in one block

  [[nodiscard]] double blocks(double b) const { return across * down * splits * b; }
};

/// Time of a grid in units of one block at an SM's full rate: whole waves of resident blocks on
/// every SM, then the rest. An SM reaches its rate with `warps` warps for each 64 FP32 lanes; fewer
/// take as long as those would.
[[nodiscard]] double count_rounds(const Tiling& tiling, double b, const OpCard& card, double warps);

/// The kernel that a library would run: the one with the least arithmetic time by the library's
/// own reckoning, which does not count traffic.
[[nodiscard]] Tiling choose_tiling(const Product& product, const OpCard& card);

}  // namespace uplift::predict
