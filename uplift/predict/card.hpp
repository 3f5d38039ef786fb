// SPDX-License-Identifier: Apache-2.0
// A board of the catalog with the model built on it: what the stages behind this one hand around
// instead of the model's own types.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/result.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/model/parameters.hpp"

#include <string>

namespace uplift::predict {

using model::Basis;
using model::is_modelled;
using model::Parameters;

struct Card {
  const Gpu* gpu = nullptr;  ///< lives as long as the catalog
  model::GpuModel model;
  std::string note;  ///< how the name was understood, or empty
};

/// Errors: the board lacks the numbers that the model needs.
[[nodiscard]] inline Result<Card> build_card(const Gpu& gpu, std::string note, Basis basis,
                                             const Parameters& parameters) {
  auto built = model::build_gpu_model(gpu, basis, parameters);
  if (!built) return failure(built.error());
  return Card{&gpu, std::move(*built), std::move(note)};
}

}  // namespace uplift::predict
