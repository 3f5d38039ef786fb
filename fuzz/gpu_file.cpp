// SPDX-License-Identifier: Apache-2.0
// Any bytes as a GPU file give a board or one line of error, never a throw, and no number that is
// not finite.
#include "uplift/catalog/gpu_file.hpp"

#include "uplift/core/gpu_fields.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto gpu = uplift::catalog::parse_gpu_file(text, "input.toml");
  if (!gpu) return 0;
  for (const uplift::GpuField& field : uplift::gpu_fields()) {
    const uplift::MaybeFact& fact = field.read(*gpu);
    if (fact && !std::isfinite(fact->value)) std::abort();
  }
  return 0;
}
