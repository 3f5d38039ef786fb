// SPDX-License-Identifier: Apache-2.0
// What every answer about a recording begins with: the card that it was made on (the one named with
// --from, or the one it names itself), and what the recording is.
#pragma once

#include "uplift/catalog/catalog.hpp"
#include "uplift/core/advice.hpp"
#include "uplift/core/result.hpp"
#include "uplift/core/workload.hpp"

#include <optional>
#include <string>

namespace uplift::decide {

/// Errors: `from` is unknown or ambiguous; without it, the recording names no GPU, one that is not
/// in the catalog, or a part of one (a MIG instance). `path` is for error lines.
[[nodiscard]] Result<catalog::Resolution> resolve_source(const Workload& workload,
                                                         const std::optional<std::string>& from,
                                                         const std::string& path,
                                                         const catalog::Catalog& catalog);

[[nodiscard]] WorkloadFacts describe_workload(const Workload& workload);

/// What to know of a step that the host's own pace (`floor`) decides; empty if it does not.
[[nodiscard]] std::string note_host_bound(Seconds floor, Seconds step);

/// What to know of a replay that misses the step by more than a tenth; empty if it does not.
/// `scale` is the measured over the replayed step.
[[nodiscard]] std::string note_replay(double scale);

/// That the recording names another card than `taken`, the one of --from; empty if it does not.
[[nodiscard]] std::string note_other_card(const Workload& workload, const Gpu& taken,
                                          const catalog::Catalog& catalog);

}  // namespace uplift::decide
