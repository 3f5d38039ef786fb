// SPDX-License-Identifier: Apache-2.0
// Puts the terms together, and exchanges single ones.
#include "uplift/model/gpu_model.hpp"

#include <algorithm>

namespace uplift::model {

Result<GpuModel> build_gpu_model(const Gpu& gpu, Basis asked, const Parameters& parameters) {
  const bool any_gemm = std::any_of(gpu.published.gemm.begin(), gpu.published.gemm.end(),
                                    [](const MaybeFact& fact) { return fact.has_value(); });
  GpuModel model;
  model.id = gpu.id;
  model.compute_capability = gpu.compute_capability;
  model.basis = asked == Basis::kPublished && (any_gemm || gpu.published.dram_stream)
                    ? Basis::kPublished
                    : Basis::kDatasheet;
  auto tensor = estimate_tensor(gpu, model.basis, parameters);
  if (!tensor) return failure(tensor.error());
  auto memory = estimate_memory(gpu, model.basis, parameters);
  if (!memory) return failure(memory.error());
  model.tensor = *tensor;
  model.memory = *memory;
  model.cache = estimate_cache(gpu, model.basis, parameters);
  model.copy = estimate_copy(gpu, parameters);
  return model;
}

void take_dimension(GpuModel& model, const GpuModel& other, Dimension dimension) {
  switch (dimension) {
    case Dimension::kTensor:
      model.tensor = other.tensor;
      model.compute_capability = other.compute_capability;
      break;
    case Dimension::kMemory:
      model.memory = other.memory;
      break;
    case Dimension::kCache:
      model.cache = other.cache;
      break;
    case Dimension::kCopy:
      model.copy = other.copy;
      break;
    case Dimension::kMig:
    case Dimension::kSparsity:
    case Dimension::kEnergy:
      break;
  }
}

}  // namespace uplift::model
