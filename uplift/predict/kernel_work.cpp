// SPDX-License-Identifier: Apache-2.0
// The roofline of one kernel, with the L2, the launch floor and the fill of the card.
#include "uplift/predict/kernel_work.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace uplift::predict {
namespace {

/// Blocks of this launch that one SM holds at a time.
double blocks_per_sm(const LaunchGeometry& launch, const model::TensorCeilings& card) {
  const auto threads = static_cast<double>(std::max<std::int64_t>(1, launch.threads_per_block()));
  double blocks = std::min<double>(card.blocks_per_sm, std::floor(card.threads_per_sm / threads));
  if (launch.registers_per_thread > 0) {
    blocks = std::min(blocks,
                      std::floor(card.registers_per_sm / (launch.registers_per_thread * threads)));
  }
  if (launch.shared_bytes > 0) {
    blocks = std::min(
        blocks, std::floor(card.shared_bytes_per_sm / static_cast<double>(launch.shared_bytes)));
  }
  return std::max(1.0, blocks);
}

/// Threads that are on the card together.
double resident_threads(const KernelWork& work, const model::TensorCeilings& card) {
  const auto threads =
      static_cast<double>(std::max<std::int64_t>(1, work.launch.threads_per_block()));
  const double room = card.sm_count * blocks_per_sm(work.launch, card);
  const double blocks = static_cast<double>(work.launch.blocks());
  return threads * (work.persistent || blocks <= 0 ? room : std::min(room, blocks));
}

/// True if the launch has as many blocks as the card holds at a time.
bool fills_card(const KernelWork& work, const model::TensorCeilings& card) {
  return static_cast<double>(work.launch.blocks()) >=
         card.sm_count * blocks_per_sm(work.launch, card);
}

/// Share of the traffic that L2 serves. What a block reads again is found there as far as what all
/// resident blocks are working on fits.
double l2_share(const KernelWork& work, const model::GpuModel& gpu,
                const model::Parameters& parameters) {
  const Bytes first = work.traffic * (1.0 - work.reread);
  const double kept = model::l2_share(first * work.footprint, gpu.cache, parameters);
  if (work.reread <= 0 || work.launch.blocks() <= 0 || gpu.cache.l2.value() <= 0) return kept;
  const double blocks = static_cast<double>(work.launch.blocks());
  const double resident = gpu.tensor.sm_count * blocks_per_sm(work.launch, gpu.tensor);
  const double at_work =
      work.traffic.value() * work.reread * std::min(1.0, resident / blocks) / gpu.cache.l2.value();
  return kept * (1.0 - work.reread) + work.reread / (1.0 + at_work * at_work);
}

/// Share of the SMs that the launch occupies, half forgiven: libraries choose smaller tiles on a
/// larger card.
double fill(const KernelWork& work, const model::TensorCeilings& card, double retiled_share) {
  const double blocks = static_cast<double>(work.launch.blocks());
  if (work.persistent || blocks <= 0 || blocks >= card.sm_count) return 1.0;
  return std::pow(blocks / card.sm_count, 1.0 - retiled_share);
}

Seconds soft_maximum(std::array<Seconds, 3> parts, double exponent) {
  double largest = 0;
  for (const Seconds part : parts) largest = std::max(largest, part.value());
  if (largest <= 0) return Seconds(0);
  double sum = 0;
  for (const Seconds part : parts) sum += std::pow(part.value() / largest, exponent);
  return Seconds(largest * std::pow(sum, 1.0 / exponent));
}

/// Share of the traffic that is read again: a batch norm reads its input for the statistics and
/// again to apply them, unless the kernel holds it in between.
double reread_share(const DistinctKernel& kernel) {
  const auto mentions = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (kernel.kernel_class != KernelClass::kNorm || !mentions(kernel.op, "batch_norm") ||
      mentions(kernel.name, "singleread")) {
    return 0.0;
  }
  // Forward: x, x again, y. Backward: x and dy, both again, dx.
  return mentions(kernel.op, "backward") ? 2.0 / 5.0 : 1.0 / 3.0;
}

/// Different bytes among those of the first touch: an operator that works in place writes where it
/// has read.
double footprint_share(const DistinctKernel& kernel) {
  if (kernel.kernel_class == KernelClass::kElementwise && kernel.op.ends_with('_')) {
    if (const auto* shape = std::get_if<TensorShape>(&kernel.shape);
        shape != nullptr && shape->read > 0) {
      const auto read = static_cast<double>(shape->read);
      return read / (read + static_cast<double>(shape->written));
    }
    constexpr std::array<std::string_view, 4> kTwoInputs = {"add_", "sub_", "mul_", "div_"};
    const bool two = std::any_of(kTwoInputs.begin(), kTwoInputs.end(),
                                 [&](std::string_view name) { return kernel.op.ends_with(name); });
    return two ? 2.0 / 3.0 : 1.0 / 2.0;
  }
  return 1.0;
}

bool is_arithmetic(KernelClass kernel_class) {
  return kernel_class == KernelClass::kGemm || kernel_class == KernelClass::kConv ||
         kernel_class == KernelClass::kAttention;
}

/// The traffic of a memory-bound kernel whose time on `source` is known: time grows with traffic,
/// so halving an interval finds it.
Bytes infer_traffic(KernelWork work, Seconds time, const model::GpuModel& source,
                    const model::Parameters& parameters) {
  double low = 0;
  double high =
      4.0 * time.value() * std::max(source.memory.stream.value(), source.cache.bandwidth.value());
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    work.traffic = Bytes(middle);
    (estimate_kernel(work, source, parameters).whole() < time ? low : high) = middle;
  }
  return Bytes(0.5 * (low + high));
}

}  // namespace

KernelTime estimate_kernel(const KernelWork& work, const model::GpuModel& gpu,
                           const model::Parameters& parameters) {
  KernelTime time;
  time.floor = gpu.copy.kernel_floor;
  const FlopsPerSecond rate = gpu.tensor.sustained[index(work.math)];
  if (work.flops.value() > 0 && rate.value() > 0) {
    time.compute = work.product
                       ? estimate_tiled(*work.product, work.math, rate, gpu.tensor.sm_count)
                       : work.flops / (rate * fill(work, gpu.tensor, parameters.retiled_share));
  }
  if (work.traffic.value() > 0) {
    time.l2_share = l2_share(work, gpu, parameters);
    time.memory = (work.traffic * (1.0 - time.l2_share)) / gpu.memory.stream;
    if (time.l2_share > 0) time.memory += (work.traffic * time.l2_share) / gpu.cache.bandwidth;
    // Kernels with a tile pipeline keep enough in flight; others are limited by their threads.
    if (!work.arithmetic && work.launch.blocks() > 0) {
      const double per_thread = work.vector_access ? parameters.vector_thread_bytes_per_second
                                                   : parameters.thread_bytes_per_second;
      time.fill = work.traffic / BytesPerSecond(per_thread * resident_threads(work, gpu.tensor));
    }
  }
  time.work = soft_maximum({time.compute, time.memory, time.fill}, parameters.overlap_exponent);
  const Seconds largest = std::max({time.floor, time.compute, time.memory, time.fill});
  if (largest == time.floor || (largest == time.fill && !fills_card(work, gpu.tensor))) {
    time.bound = Bound::kLaunch;
  } else if (largest == time.compute) {
    time.bound = Bound::kCompute;
  } else {
    time.bound = time.l2_share > 0.5 ? Bound::kCache : Bound::kMemory;
  }
  return time;
}

KernelWork without_traffic(KernelWork work) {
  work.traffic = Bytes(0);
  return work;
}

KernelWork describe_work(const DistinctKernel& kernel, Seconds time, const model::GpuModel& source,
                         const model::Parameters& parameters) {
  KernelWork work;
  work.arithmetic = is_arithmetic(kernel.kernel_class);
  work.math = kernel.math.value_or(Math::kFp32);
  work.launch = kernel.launch;
  work.reread = reread_share(kernel);
  work.footprint = footprint_share(kernel);
  work.vector_access = kernel.name.find("vectorized") != std::string::npos;
  const auto sms = static_cast<std::int64_t>(source.tensor.sm_count);
  const std::int64_t blocks = kernel.launch.blocks();
  // A grid of exactly one or two blocks per SM is sized by the library to the card.
  work.persistent =
      work.arithmetic && sms > 0 && blocks > 0 && blocks <= 2 * sms && blocks % sms == 0;
  const double element_bytes =
      kernel.element_bytes > 0 ? kernel.element_bytes : storage_bytes(work.math);
  if (is_known(kernel.shape)) {
    work.shape_known = true;
    work.flops = flops(kernel.shape);
    work.product = as_product(kernel.shape);
    work.traffic = least_bytes(kernel.shape, element_bytes);
    if (work.traffic.value() > 0) return work;
    work.shape_known = false;
  }
  const Seconds above_floor = std::max(Seconds(0), time - source.copy.kernel_floor);
  if (work.arithmetic) {
    // Nothing but the time is known: taken as work at the card's usual rate, with half as much
    // memory time beside it.
    constexpr double kMemoryShare = 0.5;
    work.flops = Flops(above_floor.value() * source.tensor.sustained[index(work.math)].value() *
                       fill(work, source.tensor, parameters.retiled_share));
    work.traffic = Bytes(kMemoryShare * above_floor.value() * source.memory.stream.value());
  } else {
    work.traffic = infer_traffic(work, time, source, parameters);
  }
  return work;
}

}  // namespace uplift::predict
