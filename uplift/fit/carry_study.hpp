// SPDX-License-Identifier: Apache-2.0
// How alike the deviations of one operation are on several cards, apart for the kernel and for what
// a timed call pays besides it.
#pragma once

#include "uplift/fit/family_fit.hpp"

namespace uplift::fit {

/// From every operation that two of the fit's cards have timed. With r the relative deviation of a
/// call from the expected and w the share of the overhead in the expected, over pairs of cards
///     r_a r_b ~ (1 - w_a)(1 - w_b) kernel x kernel_shared + w_a w_b overhead x overhead_shared
/// and over single calls
///     r^2 ~ (1 - w)^2 kernel + w^2 overhead
/// by least squares.
[[nodiscard]] predict::CarryConstants learn_carry(const predict::OpFamily& family,
                                                  const FamilyFit& fit, const Dataset& data);

/// Sets the overhead factors of the samples of the fit's cards to what all cards that timed the
/// same operation show together, so that a fit is not misled by calls that were slow to start.
void set_overhead_factors(const predict::OpFamily& family, const FamilyFit& fit,
                          const predict::CarryConstants& carry, Dataset& data);

}  // namespace uplift::fit
