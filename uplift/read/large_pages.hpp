// SPDX-License-Identifier: Apache-2.0
// Asks the system to back a large vector with large pages before it is filled: a page fault for
// every 4 KiB is a noticeable part of the time to read a long recording. A hint; nothing depends on
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace uplift::read {

/// To be called right after reserve().
template <class T>
void prefer_large_pages([[maybe_unused]] std::vector<T>& reserved) {
#if defined(__linux__)
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(reserved.data());
  const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t last = (begin + reserved.capacity() * sizeof(T)) / kLargePage * kLargePage;
  if (begin == 0 || last <= first) return;
  [[maybe_unused]] const int refused =
      ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace uplift::read
