// SPDX-License-Identifier: Apache-2.0
// The only accuracy that counts: each card predicted by constants that were fitted without it.
#pragma once

#include "uplift/fit/family_fit.hpp"

#include <string>
#include <vector>

namespace uplift::fit {

enum class Knowledge { kDatasheet, kPublished, kMeasured };

struct LeaveOneOutOptions {
  FitOptions fit;
  std::size_t timed = 12;          ///< operations timed on the target for `measured`
  std::size_t rows_scored = 2000;  ///< a card and source, at most
  bool from_source = false;        ///< the source's time of the same operation is known
};

struct Prediction {
  std::size_t target = 0, source = 0;  ///< cards; source == target: from the shape alone
  const Sample* sample = nullptr;
  double seconds = 0;
  double variance = 0;  ///< of ln seconds, before calibration
};

/// Predictions of every sample of every card on `knowledge`, each from a fit without that card. The
/// operations timed on a card are left out of its predictions.
[[nodiscard]] std::vector<Prediction> leave_one_out(const predict::OpFamily& family,
                                                    const Dataset& data, Knowledge knowledge,
                                                    const LeaveOneOutOptions& options,
                                                    std::vector<FamilyFit>* fits = nullptr);

}  // namespace uplift::fit
