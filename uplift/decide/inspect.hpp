// SPDX-License-Identifier: Apache-2.0
// What is in a recording: a workload in, an Inspection out.
#pragma once

#include "uplift/catalog/catalog.hpp"
#include "uplift/core/inspection.hpp"
#include "uplift/core/result.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/decide/card_profiles.hpp"
#include "uplift/predict/card.hpp"

#include <optional>
#include <span>
#include <string>

namespace uplift::decide {

struct InspectRequest {
  std::optional<std::string> from;                   ///< empty: the card that the recording names
  predict::Basis basis = predict::Basis::kMeasured;  ///< the best to use; the card may have less
  std::span<const CardProfile> profiles;             ///< of cards that were measured
  std::string path;                                  ///< of the recording, for error lines
};

/// A recording whose card is not known is inspected all the same, without bounds and estimates; a
/// warning says so. Errors: `from` is unknown, ambiguous, or lacks the numbers of a model.
[[nodiscard]] Result<Inspection> inspect(const Workload& workload, const InspectRequest& request,
                                         const catalog::Catalog& catalog,
                                         const predict::Parameters& parameters);

}  // namespace uplift::decide
