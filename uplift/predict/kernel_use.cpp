// SPDX-License-Identifier: Apache-2.0
// The work of a kernel over the time that it took.
#include "uplift/predict/kernel_use.hpp"

#include "uplift/predict/kernel_transfer.hpp"

#include <algorithm>

namespace uplift::predict {
namespace {

Bound bound_of(const DistinctKernel& kernel, const PreparedKernel& prepared) {
  const KernelTime& modelled = prepared.on_source;
  const bool at_floor = modelled.work.value() <= 0 || kernel.mean() <= modelled.floor;
  return at_floor ? Bound::kLaunch : modelled.bound;
}

}  // namespace

Bound bound_of(const DistinctKernel& kernel, const model::GpuModel& card,
               const model::Parameters& parameters) {
  if (kernel.kernel_class == KernelClass::kCollective) return Bound::kComm;
  return bound_of(kernel, prepare_kernel(kernel, card, parameters));
}

std::optional<KernelUse> describe_use(const DistinctKernel& kernel, const model::GpuModel& card,
                                      const model::Parameters& parameters) {
  if (kernel.kernel_class == KernelClass::kCollective) return std::nullopt;
  const Seconds time = kernel.mean();
  const PreparedKernel prepared = prepare_kernel(kernel, card, parameters);
  const KernelWork& work = prepared.work;
  KernelUse use;
  use.bound = bound_of(kernel, prepared);
  use.shape_known = work.shape_known;
  use.dram = work.traffic * (1.0 - prepared.on_source.l2_share);
  use.l2 = work.traffic * prepared.on_source.l2_share;
  use.log_half_width = kernel_half_width(kernel, work, card.basis, parameters);
  if (!work.shape_known) {
    const bool sustained = model::has_sustained_figures(card.basis);
    use.log_half_width =
        sustained ? parameters.published.unknown_shape : parameters.datasheet.unknown_shape;
    return use;
  }
  if (time.value() <= 0) return use;
  double share = prepared.on_source.memory / time;
  if (work.arithmetic && work.flops.value() > 0) {
    use.flop_rate = work.flops / time;
    const FlopsPerSecond rate = card.tensor.sustained[index(work.math)];
    if (rate.value() > 0) share = std::max(share, *use.flop_rate / rate);
  }
  use.byte_rate = work.traffic / time;
  use.sustained_share = share;
  return use;
}

}  // namespace uplift::predict
