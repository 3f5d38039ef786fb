// SPDX-License-Identifier: Apache-2.0
// Any bytes as a profiler trace, arriving in pieces of any size, give a workload that holds
// together or one line of error: never a throw, no index out of range, no number that is not
// finite. The first byte chooses the size of the pieces.
#include "fuzz/workload_check.hpp"
#include "tests/unit/read/memory_source.hpp"
#include "uplift/read/trace/kineto_workload.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::array<std::size_t, 4> kPieces = {SIZE_MAX, 1, 7, 64};
  uplift::read::MemorySource source(std::string(data + 1, data + size),
                                    kPieces[data[0] % kPieces.size()]);
  uplift::fuzz::check_result(uplift::read::read_kineto(source, "input.json"));
  return 0;
}
