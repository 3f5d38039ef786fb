// SPDX-License-Identifier: Apache-2.0
// The main job: a workload and a list of cards in, an Advice out.
#pragma once

#include "uplift/catalog/catalog.hpp"
#include "uplift/core/advice.hpp"
#include "uplift/core/result.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/decide/card_profiles.hpp"
#include "uplift/predict/card.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace uplift::decide {

struct AdviseRequest {
  std::optional<std::string> from;  ///< empty: the card that the recording names
  std::vector<std::string> to;
  predict::Basis basis = predict::Basis::kMeasured;  ///< the best to use; a card may have less
  std::span<const CardProfile> profiles;             ///< of cards that were measured
  std::string path;                                  ///< of the recording, for error lines
};

/// Errors: an unknown or ambiguous card, no --to, a recording that names no card (or one that is
/// not in the catalog) without --from, a card without the numbers that the model needs.
[[nodiscard]] Result<Advice> advise(const Workload& workload, const AdviseRequest& request,
                                    const catalog::Catalog& catalog,
                                    const predict::Parameters& parameters);

}  // namespace uplift::decide
