// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/kernel_facts.hpp"

#include "uplift/predict/kernel_use.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace uplift::decide {
namespace {

Range around(Bytes bytes, double log_half_width) {
  const double factor = std::exp(log_half_width);
  return {bytes.value(), bytes.value() / factor, bytes.value() * factor};
}

template <class Rate>
std::optional<double> value(const std::optional<Rate>& rate) {
  return rate ? std::optional(rate->value()) : std::nullopt;
}

void add_use(const DistinctKernel& kernel, const predict::Card& card,
             const predict::Parameters& parameters, KernelFacts& facts) {
  const auto use = predict::describe_use(kernel, card.model, parameters);
  if (!use) {
    facts.bound = Bound::kComm;
    return;
  }
  facts.bound = use->bound;
  facts.basis = use->shape_known ? WorkBasis::kShape : WorkBasis::kTime;
  facts.dram_bytes = around(use->dram, use->log_half_width);
  facts.l2_bytes = around(use->l2, use->log_half_width);
  facts.flops_per_second = value(use->flop_rate);
  facts.bytes_per_second = value(use->byte_rate);
  facts.sustained_share = use->sustained_share;
}

bool is_matrix(KernelClass kernel_class) {
  return kernel_class == KernelClass::kGemm || kernel_class == KernelClass::kConv ||
         kernel_class == KernelClass::kAttention;
}

/// Whether the card runs a format on tensor cores; `fp32` never, empty if the catalog cannot tell.
std::optional<bool> on_tensor_cores(std::optional<Math> math, const CapabilityFormats* formats) {
  if (!math || formats == nullptr) return std::nullopt;
  if (*math == Math::kFp32 || *math == Math::kFp64) return false;
  const FormatSupport* support = formats->find(*math == Math::kFp64Tc ? "fp64" : word(*math));
  return support == nullptr ? std::optional<bool>() : support->tensor_core;
}

}  // namespace

std::vector<KernelFacts> describe_kernels(const Workload& workload, const predict::Card* card,
                                          const predict::Parameters& parameters) {
  double whole = 0;
  for (const DistinctKernel& kernel : workload.kernels) whole += kernel.total.value();
  std::vector<KernelFacts> all;
  for (const DistinctKernel& kernel : workload.kernels) {
    KernelFacts facts;
    facts.name = kernel.name;
    facts.op = kernel.op;
    facts.kernel_class = kernel.kernel_class;
    facts.shape = render_shape(kernel.shape);
    facts.math = kernel.math;
    facts.launches_per_step = static_cast<double>(kernel.launches) / workload.step_count();
    facts.launch_seconds = kernel.launches > 0 ? kernel.mean().value() : 0.0;
    facts.seconds = kernel.total.value() / workload.step_count();
    facts.share = whole > 0 ? kernel.total.value() / whole : 0.0;
    if (card != nullptr && kernel.launches > 0) add_use(kernel, *card, parameters, facts);
    all.push_back(std::move(facts));
  }
  return all;
}

std::vector<ClassTime> class_times(const std::vector<KernelFacts>& kernels) {
  std::map<KernelClass, ClassTime> by_class;
  for (const KernelFacts& kernel : kernels) {
    ClassTime& time = by_class[kernel.kernel_class];
    time.kernel_class = kernel.kernel_class;
    time.launches += kernel.launches_per_step;
    time.seconds += kernel.seconds;
    if (!kernel.bound) continue;
    if (!time.seconds_by_bound) time.seconds_by_bound = BoundSeconds{};
    (*time.seconds_by_bound)[static_cast<std::size_t>(*kernel.bound)] += kernel.seconds;
  }
  std::vector<ClassTime> times;
  times.reserve(by_class.size());
  for (const auto& [kernel_class, time] : by_class) times.push_back(time);
  std::stable_sort(times.begin(), times.end(),
                   [](const ClassTime& a, const ClassTime& b) { return a.seconds > b.seconds; });
  return times;
}

FormatUse format_use(const std::vector<KernelFacts>& kernels, const CapabilityFormats* formats) {
  std::map<std::optional<Math>, double> by_format;
  FormatUse use;
  for (const KernelFacts& kernel : kernels) {
    if (!is_matrix(kernel.kernel_class)) continue;
    by_format[kernel.math] += kernel.seconds;
    use.matrix_seconds += kernel.seconds;
  }
  const auto has_tensor = [&](std::string_view format) {
    const FormatSupport* support = formats == nullptr ? nullptr : formats->find(format);
    return support != nullptr && support->tensor_core;
  };
  if (formats != nullptr) use.tensor_core_seconds = use.convertible_seconds = 0.0;
  for (const auto& [math, seconds] : by_format) {
    const auto tensor = on_tensor_cores(math, formats);
    use.formats.push_back({math, seconds, tensor});
    if (tensor && *tensor) *use.tensor_core_seconds += seconds;
    if (tensor && !*tensor && math == Math::kFp32 && (has_tensor("tf32") || has_tensor("fp16"))) {
      *use.convertible_seconds += seconds;
    }
  }
  std::stable_sort(use.formats.begin(), use.formats.end(),
                   [](const FormatTime& a, const FormatTime& b) { return a.seconds > b.seconds; });
  return use;
}

}  // namespace uplift::decide
