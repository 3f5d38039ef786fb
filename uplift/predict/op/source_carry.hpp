// SPDX-License-Identifier: Apache-2.0
// What the time of a call on one card says of the same call on another: how much of its excess over
// the expected was the kernel, and how much what the call paid besides it.
#pragma once

namespace uplift::predict {

/// Variances are relative: 0.01 is 10 % about the expected.
struct CarryConstants {
  double kernel = 0.02;        ///< of a kernel's time about the formula
  double kernel_shared = 0;    ///< of that, what another card shows at the same call
  double overhead = 0;         ///< of a call's overhead about the card's usual one
  double overhead_shared = 0;  ///< of that, what another card shows at the same call
};

/// Seconds of one call.
struct CallTime {
  double kernel = 0, overhead = 0;
  [[nodiscard]] double total() const { return kernel + overhead; }
};

/// On the expected seconds of a call.
struct CallFactors {
  double kernel = 1, overhead = 1;
};

/// A call on another card.
struct SourceCall {
  CallTime expected;
  double seconds = 0;  ///< what it took
};

/// The factors to expect of the same call elsewhere. Kernel and overhead are taken as independent
/// normal variables whose sum was seen; each gets its share of the excess by its variance (the
/// conditional mean of a bivariate normal):
///     factor = 1 + shared x variance x part / (sum of variance x part^2) x excess
/// with part the expected seconds of kernel or overhead. Factors are kept within 0.2 and 3.
[[nodiscard]] CallFactors carry_factors(const CarryConstants& constants, const SourceCall& source);

/// Share of the variance of the call's time here, `expected`, that `source` does not tell.
[[nodiscard]] double untold_share(const CarryConstants& constants, const SourceCall& source,
                                  const CallTime& expected);

}  // namespace uplift::predict
