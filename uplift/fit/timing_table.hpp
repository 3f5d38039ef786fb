// SPDX-License-Identifier: Apache-2.0
// A table of timings of many kinds on many cards, taken apart by family of operations.
#pragma once

#include "uplift/fit/dataset.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/op/op_family.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace uplift::fit {

struct Timing {
  std::string gpu;  ///< canonical id
  Op op;
  double seconds = 0;        ///< > 0
  bool with_launch = false;  ///< of one eager call, its launch included
};

/// A card on both bases.
struct CardModels {
  model::GpuModel datasheet, published;
};

struct FamilyTimings {
  const predict::OpFamily* family = nullptr;
  Dataset data;
};

/// Families without timings are left out; so are timings of operations that no family has. Every
/// card of `timings` must be in `cards`. Each operation counts in the family of the format that it
/// runs in on its card.
[[nodiscard]] std::vector<FamilyTimings> split_by_family(
    std::span<const Timing> timings, const std::map<std::string, CardModels>& cards);

}  // namespace uplift::fit
