// SPDX-License-Identifier: Apache-2.0
// What a card sustains where nobody has published a measurement: a share of the data-sheet peak,
// bent down where the board's power does not last for it. docs/method.md, section 3.1.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/math.hpp"
#include "uplift/model/parameters.hpp"

namespace uplift::model {

/// FLOP/s of a large library GEMM in `math` on the tensor cores (FP64 and FP32: the CUDA cores),
/// where the data sheet states `peak` FLOP/s for it.
[[nodiscard]] double sustained_rate(const Gpu& gpu, Math math, double peak,
                                    const Parameters& parameters);

/// FLOP/s of a large library GEMM on the CUDA cores with elements of `bits`, two or four of which
/// share a 32-bit lane (packed FP16, DP4A), where the data sheet states `peak` FLOP/s for it.
[[nodiscard]] double sustained_cuda_core_rate(const Gpu& gpu, double bits, double peak,
                                              const Parameters& parameters);

}  // namespace uplift::model
