// SPDX-License-Identifier: Apache-2.0
// Arithmetic time of a matrix product as a library runs it: in tiles, spread over the SMs in waves,
// the last of which is not full. Convolutions are taken as the implicit product that they are.
#pragma once

#include "uplift/core/math.hpp"
#include "uplift/core/op_shape.hpp"
#include "uplift/core/quantity.hpp"

#include <optional>

namespace uplift::predict {

/// The product that a GEMM or convolution amounts to; empty for other shapes. Groups and batches
/// are `b`; a depthwise convolution gives very thin products.
[[nodiscard]] std::optional<GemmShape> as_product(const OpShape& shape);

/// Least time over tile sizes and split-K factors on `sms` multiprocessors that together sustain
/// `rate` on full tiles. Monotone: more SMs or a higher rate never give a longer time at equal rate
/// per SM. docs/method.md, section 4.2.
[[nodiscard]] Seconds estimate_tiled(const GemmShape& product, Math math, FlopsPerSecond rate,
                                     double sms);

}  // namespace uplift::predict
