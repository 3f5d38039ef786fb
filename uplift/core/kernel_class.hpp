// SPDX-License-Identifier: Apache-2.0
// What a device kernel does, and what limits it: the two word lists that answers are grouped by.
// docs/formats.md lists the words; a new one raises the schema version.
#pragma once

#include <array>
#include <string_view>

namespace uplift {

/// What a kernel computes.
enum class KernelClass {
  kGemm,
  kConv,
  kAttention,
  kSoftmax,
  kNorm,         ///< layer, batch, group and RMS norms
  kElementwise,  ///< one output element from the same element of the inputs; fills and casts too
  kReduce,
  kEmbedding,  ///< gathers, scatters and index operations
  kOptimizer,
  kPool,
  kLayout,  ///< transposes, concatenation, padding: moves data on the device
  kSort,    ///< sorts, scans and selections
  kCollective,
  kOther,
};

inline constexpr std::array<KernelClass, 14> kKernelClasses = {
    KernelClass::kGemm,       KernelClass::kConv,      KernelClass::kAttention,
    KernelClass::kSoftmax,    KernelClass::kNorm,      KernelClass::kElementwise,
    KernelClass::kReduce,     KernelClass::kEmbedding, KernelClass::kOptimizer,
    KernelClass::kPool,       KernelClass::kLayout,    KernelClass::kSort,
    KernelClass::kCollective, KernelClass::kOther};

[[nodiscard]] constexpr std::string_view word(KernelClass kernel_class) {
  constexpr std::array<std::string_view, 14> kWords = {
      "gemm",      "conv",      "attention", "softmax", "norm", "elementwise", "reduce",
      "embedding", "optimizer", "pool",      "layout",  "sort", "collective",  "other"};
  return kWords[static_cast<std::size_t>(kernel_class)];
}

/// What the time of a kernel, or of a stretch of a step, is bound by.
enum class Bound {
  kCompute,  ///< arithmetic rate
  kMemory,   ///< DRAM bandwidth
  kCache,    ///< L2 bandwidth
  kLaunch,   ///< too small to fill the card: launch and latency
  kCopy,     ///< PCIe, NVLink or device-to-device copies
  kComm,     ///< collectives between GPUs
  kHost,     ///< the GPU waits for the host
};

inline constexpr std::array<Bound, 7> kBounds = {Bound::kCompute, Bound::kMemory, Bound::kCache,
                                                 Bound::kLaunch,  Bound::kCopy,   Bound::kComm,
                                                 Bound::kHost};

[[nodiscard]] constexpr std::string_view word(Bound bound) {
  constexpr std::array<std::string_view, 7> kWords = {"compute", "memory", "cache", "launch",
                                                      "copy",    "comm",   "host"};
  return kWords[static_cast<std::size_t>(bound)];
}

}  // namespace uplift
