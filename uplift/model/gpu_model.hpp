// SPDX-License-Identifier: Apache-2.0
// One card as the predictor sees it: its ceilings by dimension. Dimensions can be taken from
// another card one at a time, which is how a speedup is split over them.
#pragma once

#include "uplift/core/dimension.hpp"
#include "uplift/core/gpu.hpp"
#include "uplift/core/profile.hpp"
#include "uplift/core/result.hpp"
#include "uplift/model/basis.hpp"
#include "uplift/model/cache.hpp"
#include "uplift/model/copy.hpp"
#include "uplift/model/memory.hpp"
#include "uplift/model/parameters.hpp"
#include "uplift/model/tensor.hpp"

#include <string>

namespace uplift::model {

struct GpuModel {
  std::string id;
  ComputeCapability compute_capability;
  Basis basis = Basis::kDatasheet;
  TensorCeilings tensor;
  MemoryCeilings memory;
  CacheCeilings cache;
  CopyCeilings copy;
};

/// True if the profile has a figure that build_gpu_model() takes.
[[nodiscard]] bool has_ceilings(const Profile& profile);

/// Builds the model on the best basis that there is up to `asked`: `measured` needs a `profile` of
/// the card, and takes what it lacks as `published`; that needs a published stream or GEMM figure,
/// and takes from the data sheet what nobody has published.
[[nodiscard]] Result<GpuModel> build_gpu_model(const Gpu& gpu, Basis asked,
                                               const Parameters& parameters,
                                               const Profile* profile = nullptr);

/// The dimensions that have a term in GpuModel.
[[nodiscard]] constexpr bool is_modelled(Dimension dimension) {
  return dimension == Dimension::kTensor || dimension == Dimension::kMemory ||
         dimension == Dimension::kCache || dimension == Dimension::kCopy;
}

/// Gives `model` the term of `other` in one dimension; dimensions without a term change nothing.
void take_dimension(GpuModel& model, const GpuModel& other, Dimension dimension);

}  // namespace uplift::model
