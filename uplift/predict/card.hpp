// SPDX-License-Identifier: Apache-2.0
// A board of the catalog with the model built on it: what the stages behind this one hand around
// instead of the model's own types.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/profile.hpp"
#include "uplift/core/result.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/model/parameters.hpp"
#include "uplift/predict/op/op_predictor.hpp"

#include <string>
#include <utility>
#include <vector>

namespace uplift::predict {

using model::Basis;
using model::has_ceilings;
using model::is_modelled;
using model::Parameters;

struct Card {
  const Gpu* gpu = nullptr;  ///< lives as long as the catalog
  model::GpuModel model;
  std::string note;            ///< how the name was understood, or empty
  std::vector<TimedOp> timed;  ///< on the card, from its profile

  /// Holds as long as the card.
  [[nodiscard]] OpCardInput input() const { return {&model, timed}; }
};

/// On the best basis that there is up to `basis`; `measured` needs the card's `profile`. Errors:
/// the board lacks the numbers that the model needs.
[[nodiscard]] inline Result<Card> build_card(const Gpu& gpu, std::string note, Basis basis,
                                             const Parameters& parameters,
                                             const Profile* profile = nullptr) {
  auto built = model::build_gpu_model(gpu, basis, parameters, profile);
  if (!built) return failure(built.error());
  Card card{&gpu, std::move(*built), std::move(note), {}};
  if (card.model.basis == Basis::kMeasured) {
    for (const TimedCall& call : profile->calibration) {
      card.timed.push_back({call.op, call.seconds, {}});
    }
  }
  return card;
}

}  // namespace uplift::predict
