// SPDX-License-Identifier: Apache-2.0
// Which few operations to time on a card: spread over the shapes, whatever their times.
#pragma once

#include "uplift/predict/op/op_family.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace uplift::fit {

/// Indices of `count` of `places` that represent all: the places nearest to the centres of as many
/// clusters (Lloyd's algorithm from a farthest-point start; no randomness).
[[nodiscard]] std::vector<std::size_t> choose_representatives(
    std::span<const predict::Features> places, std::size_t count);

}  // namespace uplift::fit
