// SPDX-License-Identifier: Apache-2.0
// Products of a sparse matrix in CSR with a vector: values and column indices stream from DRAM
// once; the vector is gathered through L2, a sector of 32 bytes for each non-zero that finds no
// neighbour in the same one, and from DRAM where it does not fit (Bell and Garland, SC 2009).
//
//   time = 3 floors + search x log2(rows) + ((DRAM bytes / DRAM rate)^3 + (gathered bytes / L2
//          rate)^3)^(1/3)
//
// cuSPARSE first shares the non-zeros out among blocks, each of which finds its first row by
// bisection: log2(rows) reads from DRAM that wait for one another; then it clears the result and
// multiplies. Loads of values wait for those of indices and row starts, so that DRAM is far from
// busy. The defaults are what matrices with a band of non-zeros took on an H200, data/measured.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct SpmvConstants {
  double dram = 0.72;     ///< share of the stream rate reached
  double search = 6e-7;   ///< s that a read from DRAM takes which others wait for
  double alone = 0.3;     ///< share of the non-zeros that fetch a sector of their own
  double l2_reach = 0.5;  ///< share of L2 that holds the vector
};

[[nodiscard]] OpTime estimate_spmv(const Op& op, const OpCard& card,
                                   const SpmvConstants& constants);

[[nodiscard]] const OpFamily& spmv_family();

}  // namespace uplift::predict
