// SPDX-License-Identifier: Apache-2.0
// DRAM bandwidth: the published stream, or the data sheet times a typical share.
#include "uplift/model/memory.hpp"

namespace uplift::model {

Result<MemoryCeilings> estimate_memory(const Gpu& gpu, Basis basis, const Parameters& parameters) {
  MemoryCeilings ceilings;
  if (basis == Basis::kPublished && gpu.published.dram_stream) {
    ceilings.stream = BytesPerSecond(gpu.published.dram_stream->value);
    ceilings.published = true;
  } else if (gpu.dram_bandwidth) {
    ceilings.stream = BytesPerSecond(gpu.dram_bandwidth->value * parameters.sustained_dram);
  } else {
    return failure(ErrorKind::kUnsupported, gpu.id, "DRAM bandwidth is not in the catalog",
                   "add it to a GPU file and give it with --gpu-file");
  }
  if (gpu.memory_bytes) ceilings.capacity = Bytes(gpu.memory_bytes->value);
  return ceilings;
}

}  // namespace uplift::model
