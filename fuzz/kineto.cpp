// SPDX-License-Identifier: Apache-2.0
// Any bytes as a profiler trace, arriving in pieces of any size, give a workload that holds
// together or one line of error: never a throw, no index out of range, no number that is not
// finite. The first byte chooses the size of the pieces.
#include "tests/unit/read/memory_source.hpp"
#include "uplift/read/trace/kineto_workload.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace uplift;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_workload(const Workload& workload) {
  check(std::isfinite(workload.step_length.value()) && workload.step_length.value() > 0);
  check(workload.busy.value() >= 0);
  check(workload.kernel_launches >= 1 && workload.steps >= 0);
  for (const DistinctKernel& kernel : workload.kernels) {
    check(kernel.launches >= 1 && kernel.total.value() >= 0);
    check(kernel.launch.blocks() >= 0 && kernel.launch.threads_per_block() >= 0);
    check(std::isfinite(flops(kernel.shape).value()));
    check(std::isfinite(least_bytes(kernel.shape, 2).value()));
  }
  for (const StepEvent& event : workload.step.events) {
    const std::size_t items = event.kind == EventKind::kKernel ? workload.kernels.size()
                              : event.kind == EventKind::kCopy ? workload.copies.size()
                                                               : 0;
    check(event.kind == EventKind::kSync || static_cast<std::size_t>(event.item) < items);
    check(event.stream >= -1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::array<std::size_t, 4> kPieces = {SIZE_MAX, 1, 7, 64};
  read::MemorySource source(std::string(data + 1, data + size), kPieces[data[0] % kPieces.size()]);
  const auto workload = read::read_kineto(source, "input.json");
  if (workload) {
    check_workload(*workload);
  } else {
    check(workload.error().line().find('\n') == std::string::npos);
  }
  return 0;
}
