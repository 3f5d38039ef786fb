// SPDX-License-Identifier: Apache-2.0
// The kernels of a recording as facts of its own card: bound, traffic, rates, formats.
#pragma once

#include "uplift/core/format_support.hpp"
#include "uplift/core/inspection.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/predict/card.hpp"

#include <vector>

namespace uplift::decide {

/// One per distinct kernel, in their order. `card` may be null: then no bounds and no estimates.
[[nodiscard]] std::vector<KernelFacts> describe_kernels(const Workload& workload,
                                                        const predict::Card* card,
                                                        const predict::Parameters& parameters);

/// `kernels` by class, by falling time.
[[nodiscard]] std::vector<ClassTime> class_times(const std::vector<KernelFacts>& kernels);

/// The formats of matrix work. `formats` may be null: then nothing is said of tensor cores.
[[nodiscard]] FormatUse format_use(const std::vector<KernelFacts>& kernels,
                                   const CapabilityFormats* formats);

}  // namespace uplift::decide
