// SPDX-License-Identifier: Apache-2.0
// DRAM bandwidth: the published stream, or the data sheet times what its kind of memory delivers.
#include "uplift/model/memory.hpp"

#include <string_view>

namespace uplift::model {

double dram_share(const Gpu& gpu, const Parameters& parameters) {
  const std::string_view type = gpu.memory_type;
  if (type.starts_with("HBM")) {
    return gpu.compute_capability.major == 6 ? parameters.dram_hbm_pascal : parameters.dram_hbm;
  }
  if (!type.starts_with("GDDR")) return parameters.dram_other;
  const bool consumer = gpu.fp32_accumulate_ratio && gpu.fp32_accumulate_ratio->value < 1;
  return consumer ? parameters.dram_gddr : parameters.dram_gddr_ecc;
}

Result<MemoryCeilings> estimate_memory(const Gpu& gpu, Basis basis, const Parameters& parameters) {
  MemoryCeilings ceilings;
  if (basis == Basis::kPublished && gpu.published.dram_stream) {
    ceilings.stream = BytesPerSecond(gpu.published.dram_stream->value);
    ceilings.published = true;
  } else if (gpu.dram_bandwidth) {
    ceilings.stream = BytesPerSecond(gpu.dram_bandwidth->value * dram_share(gpu, parameters));
  } else {
    return failure(ErrorKind::kUnsupported, gpu.id, "DRAM bandwidth is not in the catalog",
                   "add it to a GPU file and give it with --gpu-file");
  }
  if (gpu.memory_bytes) ceilings.capacity = Bytes(gpu.memory_bytes->value);
  return ceilings;
}

}  // namespace uplift::model
