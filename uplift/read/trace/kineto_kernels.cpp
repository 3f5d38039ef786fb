// SPDX-License-Identifier: Apache-2.0
// Within one operator call, the kernels that do its arithmetic get its shape; the rest are helpers.
#include "uplift/read/trace/kineto_kernels.hpp"

#include "uplift/read/trace/kernel_name.hpp"
#include "uplift/read/trace/op_arguments.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

namespace uplift::read {
namespace {

/// What a kernel is to the operator call that launched it.
enum class Role : std::uint8_t { kHelper, kAlone, kForward, kDataGradient, kWeightGradient };

/// Everything that tells two kernels apart: launch, operator, shapes and role.
using KernelKey = std::array<std::uint32_t, 6>;

template <std::size_t kSize>
struct ArrayHash {
  std::size_t operator()(const std::array<std::uint32_t, kSize>& key) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t part : key) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

class Collector {
 public:
  Collector(const KinetoRecords& records, KinetoLinks& links, Workload& workload)
      : records_(records), links_(links), workload_(workload) {
    items_.assign(links.activities.size(), kNone);
    roles_.assign(links.activities.size(), Role::kHelper);
  }

  StepItems run(const StepTimeline& timeline) {
    for (const RecordedStep& step : timeline.steps) assign_roles(step);
    for (const RecordedStep& step : timeline.steps) {
      for (const std::uint32_t i : step.activities) collect(i);
    }
    sort_by_time();
    workload_.stacks = std::move(links_.stacks);
    return std::move(items_);
  }

 private:
  [[nodiscard]] bool is_kernel(const Activity& activity) const {
    return records_.work[activity.work].kind == DeviceKind::kKernel;
  }
  [[nodiscard]] const std::string& name(const Activity& activity) const {
    return records_.text(records_.work[activity.work].name);
  }
  /// The operator's name; 0 is the empty one.
  [[nodiscard]] StringId op_id(std::uint32_t op) const {
    return op == kNoSignature ? 0 : records_.frames[op].name;
  }
  [[nodiscard]] const std::string& op_name(std::uint32_t op) const {
    return records_.text(op_id(op));
  }

  struct Classified {
    KernelClass kernel_class = KernelClass::kOther;
    bool arithmetic = false;
  };
  [[nodiscard]] Classified classify(const Activity& activity) {
    const std::uint32_t op = links_.sites[activity.site].op;
    const auto [found, is_new] = classified_.try_emplace({activity.work, op_id(op)});
    if (is_new) {
      found->second.kernel_class = classify_kernel(name(activity), op_name(op));
      found->second.arithmetic = does_arithmetic(found->second.kernel_class, name(activity));
    }
    return found->second;
  }

  void assign_roles(const RecordedStep& step) {
    std::vector<std::uint32_t> kernels;
    for (const std::uint32_t i : step.activities) {
      const Activity& activity = links_.activities[i];
      if (is_kernel(activity) && activity.op_call != 0) kernels.push_back(i);
    }
    // By operator call, then in launch order; activities are already in order of device start.
    const auto call = [&](std::uint32_t i) { return links_.activities[i].op_call; };
    std::stable_sort(kernels.begin(), kernels.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return call(a) < call(b); });
    for (std::size_t first = 0; first < kernels.size();) {
      std::size_t last = first + 1;
      while (last < kernels.size() && call(kernels[last]) == call(kernels[first])) ++last;
      assign_call({kernels.data() + first, last - first});
      first = last;
    }
  }

  /// The roles of the kernels of one operator call.
  void assign_call(std::span<const std::uint32_t> kernels) {
    if (kernels.size() == 1) roles_[kernels[0]] = Role::kAlone;
    arithmetic_.clear();
    for (const std::uint32_t i : kernels) {
      if (classify(links_.activities[i]).arithmetic) arithmetic_.push_back(i);
    }
    const std::uint32_t op = links_.sites[links_.activities[kernels[0]].site].op;
    if (op_name(op).find("convolution_backward") != std::string::npos) {
      assign_gradients();
      return;
    }
    // The longest one does the work; a second one (a tail of split work) is a helper.
    const auto length = [&](std::uint32_t i) {
      return links_.activities[i].end - links_.activities[i].start;
    };
    const auto longest =
        std::max_element(arithmetic_.begin(), arithmetic_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return length(a) < length(b); });
    if (longest != arithmetic_.end()) roles_[*longest] = Role::kForward;
  }

  /// PyTorch computes the gradient of the input first, then that of the weights; names overrule.
  void assign_gradients() {
    bool saw_data = false;
    for (const std::uint32_t i : arithmetic_) {
      const auto named = conv_pass(name(links_.activities[i]));
      const bool weight =
          named ? *named == ConvPass::kWeightGradient : saw_data || arithmetic_.size() == 1;
      roles_[i] = weight ? Role::kWeightGradient : Role::kDataGradient;
      saw_data = true;
    }
  }

  void collect(std::uint32_t i) {
    const Activity& activity = links_.activities[i];
    const Seconds length = from_nanoseconds(activity.end - activity.start);
    if (!is_kernel(activity)) {
      items_[i] = collect_copy(activity, length);
      return;
    }
    const CallSite& site = links_.sites[activity.site];
    if (site.frame != kNone) {
      StackFrame& frame = links_.stacks[static_cast<std::size_t>(site.frame)];
      ++frame.launches;
      frame.total += length;
    }
    KernelKey key{activity.work, op_id(site.op), 0, 0, 0, static_cast<std::uint32_t>(roles_[i])};
    if (site.shaped != kNoSignature) {
      const FrameSignature& shapes = records_.frames[site.shaped];
      key[2] = shapes.dims;
      key[3] = shapes.types;
      key[4] = shapes.concrete;
    }
    const auto [found, is_new] =
        kernel_ids_.try_emplace(key, static_cast<std::int32_t>(workload_.kernels.size()));
    if (is_new) workload_.kernels.push_back(describe(activity, site, roles_[i]));
    DistinctKernel& kernel = workload_.kernels[static_cast<std::size_t>(found->second)];
    ++kernel.launches;
    kernel.total += length;
    items_[i] = found->second;
  }

  [[nodiscard]] DistinctKernel describe(const Activity& activity, const CallSite& site, Role role) {
    DistinctKernel kernel;
    kernel.name = name(activity);
    kernel.op = op_name(site.op);
    const Classified classified = classify(activity);
    kernel.kernel_class = classified.kernel_class;
    kernel.math = kernel_math(kernel.name);
    kernel.launch = records_.work[activity.work].launch;
    if (site.shaped == kNoSignature) return kernel;
    const FrameSignature& recorded = records_.frames[site.shaped];
    const OpArguments arguments =
        parse_op_arguments(records_.text(recorded.dims), records_.text(recorded.types),
                           records_.text(recorded.concrete));
    const auto stated = type_math(arithmetic_type(arguments));
    // cuDNN's attention kernels say `f16` whichever 16-bit format they run in.
    const bool vague = kernel.kernel_class == KernelClass::kAttention &&
                       kernel.math == Math::kFp16 && stated == Math::kBf16;
    if (!kernel.math || vague) kernel.math = stated;
    kernel.element_bytes = element_bytes(arguments);
    if (kernel.element_bytes <= 0) kernel.element_bytes = opaque_bytes(kernel.name);
    if (classified.arithmetic && role >= Role::kForward) {
      const ConvPass pass = role == Role::kDataGradient     ? ConvPass::kDataGradient
                            : role == Role::kWeightGradient ? ConvPass::kWeightGradient
                                                            : ConvPass::kForward;
      kernel.shape = arithmetic_shape(op_name(site.shaped), arguments, pass);
    } else if (!classified.arithmetic && role == Role::kAlone && site.op == site.shaped) {
      kernel.shape = tensor_shape(kernel.kernel_class, kernel.op, arguments);
      if (const auto* shape = std::get_if<TensorShape>(&kernel.shape)) {
        const double bytes = tensor_element_bytes(kernel.op, arguments, *shape);
        if (bytes > 0) kernel.element_bytes = bytes;
      }
    }
    return kernel;
  }

  [[nodiscard]] std::int32_t collect_copy(const Activity& activity, Seconds length) {
    const std::string_view text = name(activity);
    const auto has = [&](std::string_view part) {
      return text.find(part) != std::string_view::npos;
    };
    const CopyKind kind = records_.work[activity.work].kind == DeviceKind::kSet ? CopyKind::kSet
                          : has("HtoD") ? CopyKind::kHostToDevice
                          : has("DtoH") ? CopyKind::kDeviceToHost
                          : has("PtoP") ? CopyKind::kPeer
                                        : CopyKind::kDeviceToDevice;
    const bool pageable = has("Pageable");
    auto& copies = workload_.copies;
    auto found = std::find_if(copies.begin(), copies.end(), [&](const DistinctCopy& copy) {
      return copy.kind == kind && copy.pageable == pageable &&
             copy.synchronous == activity.synchronous;
    });
    if (found == copies.end()) {
      copies.push_back({kind, pageable, 0, Bytes(0), Seconds(0), activity.synchronous});
      found = copies.end() - 1;
    }
    ++found->count;
    found->bytes += Bytes(static_cast<double>(activity.bytes));
    found->total += length;
    return static_cast<std::int32_t>(found - copies.begin());
  }

  /// Longest first; ties keep the order of the recording.
  void sort_by_time() {
    auto& kernels = workload_.kernels;
    std::vector<std::int32_t> order(kernels.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
      return kernels[static_cast<std::size_t>(a)].total >
             kernels[static_cast<std::size_t>(b)].total;
    });
    std::vector<DistinctKernel> sorted;
    std::vector<std::int32_t> place(kernels.size());
    sorted.reserve(kernels.size());
    for (const std::int32_t i : order) {
      place[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(sorted.size());
      sorted.push_back(std::move(kernels[static_cast<std::size_t>(i)]));
    }
    kernels = std::move(sorted);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i] != kNone && is_kernel(links_.activities[i])) {
        items_[i] = place[static_cast<std::size_t>(items_[i])];
      }
    }
  }

  const KinetoRecords& records_;
  KinetoLinks& links_;
  Workload& workload_;
  StepItems items_;
  std::vector<Role> roles_;
  std::vector<std::uint32_t> arithmetic_;  // of the operator call in hand
  std::unordered_map<std::array<std::uint32_t, 2>, Classified, ArrayHash<2>> classified_;
  std::unordered_map<KernelKey, std::int32_t, ArrayHash<6>> kernel_ids_;
};

}  // namespace

StepItems collect_items(const KinetoRecords& records, KinetoLinks& links,
                        const StepTimeline& timeline, Workload& workload) {
  return Collector(records, links, workload).run(timeline);
}

}  // namespace uplift::read
