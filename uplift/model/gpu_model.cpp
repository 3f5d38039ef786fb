// SPDX-License-Identifier: Apache-2.0
// Puts the terms together, and exchanges single ones.
#include "uplift/model/gpu_model.hpp"

#include <algorithm>

namespace uplift::model {
namespace {

std::string gemm_quantity(Math math) { return "gemm_" + std::string(word(math)); }

/// The sustained figures of the board, with those of the profile in the place of others'.
PublishedCeilings measured_ceilings(const Gpu& gpu, const Profile& profile) {
  PublishedCeilings ceilings = gpu.published;
  const auto take = [&](std::string_view quantity, MaybeFact& fact) {
    if (const auto value = profile.value(quantity)) fact = Fact{*value, profile.file, {}, {}};
  };
  for (const Math math : kMaths) take(gemm_quantity(math), ceilings.gemm[index(math)]);
  take("dram_stream", ceilings.dram_stream);
  take("l2_read", ceilings.l2_bandwidth);
  return ceilings;
}

void take_copy_figures(const Profile& profile, CopyCeilings& copy) {
  const auto to = profile.value("h2d");
  const auto from = profile.value("d2h");
  if (to || from) {
    // The model has one link for both ways: the harmonic mean is the rate of as much each way.
    const double there = to ? *to : *from;
    const double back = from ? *from : *to;
    copy.host_pinned = BytesPerSecond(2.0 / (1.0 / there + 1.0 / back));
    copy.host_pageable = std::min(copy.host_pageable, copy.host_pinned);
  }
  if (const auto launch = profile.value("launch")) copy.kernel_floor = Seconds(*launch);
}

}  // namespace

bool has_ceilings(const Profile& profile) {
  for (const std::string_view quantity : {"dram_stream", "l2_read", "launch", "h2d", "d2h"}) {
    if (profile.value(quantity)) return true;
  }
  return std::any_of(kMaths.begin(), kMaths.end(),
                     [&](Math math) { return profile.value(gemm_quantity(math)).has_value(); });
}

Result<GpuModel> build_gpu_model(const Gpu& gpu, Basis asked, const Parameters& parameters,
                                 const Profile* profile) {
  if (asked == Basis::kMeasured && profile != nullptr) {
    Gpu measured = gpu;
    measured.published = measured_ceilings(gpu, *profile);
    auto model = build_gpu_model(measured, Basis::kPublished, parameters);
    if (!model) return failure(model.error());
    model->basis = Basis::kMeasured;
    take_copy_figures(*profile, model->copy);
    return model;
  }
  const bool any_gemm = std::any_of(gpu.published.gemm.begin(), gpu.published.gemm.end(),
                                    [](const MaybeFact& fact) { return fact.has_value(); });
  GpuModel model;
  model.id = gpu.id;
  model.compute_capability = gpu.compute_capability;
  model.basis = has_sustained_figures(asked) && (any_gemm || gpu.published.dram_stream)
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
      model.basis = other.basis;
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
