// SPDX-License-Identifier: Apache-2.0
// What one launch of a kernel asks of a card: arithmetic, traffic and parallelism. Known from the
// recorded shape where there is one, otherwise inferred from the time that the source card took.
#pragma once

#include "uplift/core/math.hpp"
#include "uplift/core/quantity.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/model/parameters.hpp"
#include "uplift/predict/tiled_product.hpp"

#include <optional>

namespace uplift::predict {

struct KernelWork {
  Flops flops;                       ///< 0 for memory-bound work
  std::optional<GemmShape> product;  ///< the matrix product behind the flops, where the shape tells
  Bytes traffic;                     ///< DRAM or L2
  double reread = 0;                 ///< share of the traffic that a block reads a second time
  double footprint = 1.0;  ///< of the rest: different bytes, the others are written where they were
                           ///< read
  Math math = Math::kFp32;
  bool arithmetic = false;     ///< a GEMM, convolution or attention kernel
  bool shape_known = false;    ///< flops and traffic come from a recorded shape
  bool vector_access = false;  ///< 16-byte loads
  bool persistent = false;     ///< the grid follows the card, not the problem
  LaunchGeometry launch;
};

/// The parts of a kernel's time on one card, and the whole.
struct KernelTime {
  Seconds floor;  ///< what any kernel takes
  Seconds compute;
  Seconds memory;  ///< DRAM and L2 together
  Seconds fill;    ///< moving the traffic with the threads that the launch has
  double l2_share = 0;
  Bound bound = Bound::kLaunch;
  [[nodiscard]] Seconds whole() const { return floor + work; }
  Seconds work;  ///< soft maximum of compute, memory and fill
};

/// docs/method.md, section 4.1.
[[nodiscard]] KernelTime estimate_kernel(const KernelWork& work, const model::GpuModel& gpu,
                                         const model::Parameters& parameters);

/// The work of an arithmetic kernel of unknown shape with no traffic at all: the other end of what
/// describe_work assumes for it.
[[nodiscard]] KernelWork without_traffic(KernelWork work);

/// The work of a recorded kernel that took `time` on `source`.
[[nodiscard]] KernelWork describe_work(const DistinctKernel& kernel, Seconds time,
                                       const model::GpuModel& source,
                                       const model::Parameters& parameters);

}  // namespace uplift::predict
