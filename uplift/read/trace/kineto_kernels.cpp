// SPDX-License-Identifier: Apache-2.0
// Within one operator call, the kernels that do its arithmetic get its shape; the rest are helpers.
#include "uplift/read/trace/kineto_kernels.hpp"

#include "uplift/read/trace/kernel_name.hpp"
#include "uplift/read/trace/op_arguments.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

namespace uplift::read {
namespace {

/// What a kernel is to the operator call that launched it.
enum class Role : std::uint8_t { kHelper, kAlone, kForward, kDataGradient, kWeightGradient };

/// Everything that tells two kernels apart.
using KernelKey = std::tuple<StringId, std::uint32_t, StringId, StringId, StringId, StringId, Role>;

/// The operator whose recorded shapes describe the call: the innermost one that has any.
std::int32_t shaped_op(const KinetoRecords& records, const KinetoLinks& links, std::int32_t op) {
  for (int hops = 0; op != kNone && hops < 4; ++hops) {
    if (records.ops[static_cast<std::size_t>(op)].dims != 0) return op;
    op = links.op_parent[static_cast<std::size_t>(op)];
  }
  return kNone;
}

class Collector {
 public:
  Collector(const KinetoRecords& records, const KinetoLinks& links, Workload& workload)
      : records_(records), links_(links), workload_(workload) {
    items_.assign(records.device.size(), kNone);
    roles_.assign(records.device.size(), Role::kHelper);
  }

  StepItems run(const StepTimeline& timeline) {
    for (const RecordedStep& step : timeline.steps) assign_roles(step);
    for (const RecordedStep& step : timeline.steps) {
      for (const std::int32_t i : step.records) collect(static_cast<std::size_t>(i));
    }
    sort_by_time();
    return std::move(items_);
  }

 private:
  [[nodiscard]] std::string_view name(const DeviceRecord& record) const {
    return records_.strings.text(record.name);
  }
  [[nodiscard]] std::string_view op_name(std::int32_t op) const {
    return op == kNone ? std::string_view()
                       : records_.strings.text(records_.ops[static_cast<std::size_t>(op)].name);
  }

  void assign_roles(const RecordedStep& step) {
    std::vector<std::int32_t> kernels;
    for (const std::int32_t i : step.records) {
      if (records_.device[static_cast<std::size_t>(i)].kind == DeviceKind::kKernel)
        kernels.push_back(i);
    }
    // By operator call, then in launch order; records are already in order of device start.
    std::stable_sort(kernels.begin(), kernels.end(), [&](std::int32_t a, std::int32_t b) {
      return links_.op[static_cast<std::size_t>(a)] < links_.op[static_cast<std::size_t>(b)];
    });
    for (std::size_t first = 0; first < kernels.size();) {
      std::size_t last = first + 1;
      const std::int32_t op = links_.op[static_cast<std::size_t>(kernels[first])];
      while (last < kernels.size() && links_.op[static_cast<std::size_t>(kernels[last])] == op)
        ++last;
      if (op != kNone) assign_call({kernels.data() + first, last - first}, op_name(op));
      first = last;
    }
  }

  /// The roles of the kernels of one operator call.
  void assign_call(std::span<const std::int32_t> kernels, std::string_view op) {
    if (kernels.size() == 1) roles_[static_cast<std::size_t>(kernels[0])] = Role::kAlone;
    std::vector<std::int32_t> arithmetic;
    for (const std::int32_t i : kernels) {
      const std::string_view kernel = name(records_.device[static_cast<std::size_t>(i)]);
      if (does_arithmetic(classify_kernel(kernel, op), kernel)) arithmetic.push_back(i);
    }
    if (op.find("convolution_backward") != std::string_view::npos) {
      assign_gradients(arithmetic);
      return;
    }
    // The longest one does the work; a second one (a tail of split work) is a helper.
    const auto longest =
        std::max_element(arithmetic.begin(), arithmetic.end(), [&](std::int32_t a, std::int32_t b) {
          const auto& x = records_.device[static_cast<std::size_t>(a)];
          const auto& y = records_.device[static_cast<std::size_t>(b)];
          return x.end - x.start < y.end - y.start;
        });
    if (longest != arithmetic.end()) roles_[static_cast<std::size_t>(*longest)] = Role::kForward;
  }

  /// PyTorch computes the gradient of the input first, then that of the weights; names overrule.
  void assign_gradients(std::span<const std::int32_t> arithmetic) {
    bool saw_data = false;
    for (const std::int32_t i : arithmetic) {
      const auto named = conv_pass(name(records_.device[static_cast<std::size_t>(i)]));
      const bool weight =
          named ? *named == ConvPass::kWeightGradient : saw_data || arithmetic.size() == 1;
      roles_[static_cast<std::size_t>(i)] = weight ? Role::kWeightGradient : Role::kDataGradient;
      saw_data = true;
    }
  }

  void collect(std::size_t i) {
    const DeviceRecord& record = records_.device[i];
    const Seconds length = from_nanoseconds(record.end - record.start);
    if (record.kind != DeviceKind::kKernel) {
      items_[i] = collect_copy(record, length);
      return;
    }
    const std::int32_t op = links_.op[i];
    const std::int32_t shaped = shaped_op(records_, links_, op);
    const StringId op_id = op == kNone ? 0 : records_.ops[static_cast<std::size_t>(op)].name;
    KernelKey key{record.name, record.geometry, op_id, 0, 0, 0, roles_[i]};
    if (shaped != kNone) {
      const OpRecord& shapes = records_.ops[static_cast<std::size_t>(shaped)];
      std::get<3>(key) = shapes.dims;
      std::get<4>(key) = shapes.types;
      std::get<5>(key) = shapes.concrete;
    }
    const auto [found, is_new] =
        kernel_ids_.try_emplace(key, static_cast<std::int32_t>(workload_.kernels.size()));
    if (is_new) workload_.kernels.push_back(describe(record, op, shaped, roles_[i]));
    DistinctKernel& kernel = workload_.kernels[static_cast<std::size_t>(found->second)];
    ++kernel.launches;
    kernel.total += length;
    items_[i] = found->second;
  }

  [[nodiscard]] DistinctKernel describe(const DeviceRecord& record, std::int32_t op,
                                        std::int32_t shaped, Role role) const {
    DistinctKernel kernel;
    kernel.name = name(record);
    kernel.op = op_name(op);
    kernel.kernel_class = classify_kernel(kernel.name, kernel.op);
    kernel.math = kernel_math(kernel.name);
    kernel.launch = records_.geometries[record.geometry];
    if (shaped == kNone) return kernel;
    const OpRecord& recorded = records_.ops[static_cast<std::size_t>(shaped)];
    const OpArguments arguments = parse_op_arguments(records_.strings.text(recorded.dims),
                                                     records_.strings.text(recorded.types),
                                                     records_.strings.text(recorded.concrete));
    const auto stated = type_math(arithmetic_type(arguments));
    // cuDNN's attention kernels say `f16` whichever 16-bit format they run in.
    const bool vague = kernel.kernel_class == KernelClass::kAttention &&
                       kernel.math == Math::kFp16 && stated == Math::kBf16;
    if (!kernel.math || vague) kernel.math = stated;
    kernel.element_bytes = element_bytes(arguments);
    if (kernel.element_bytes <= 0) kernel.element_bytes = opaque_bytes(kernel.name);
    const bool arithmetic = does_arithmetic(kernel.kernel_class, kernel.name);
    if (arithmetic && role >= Role::kForward) {
      const ConvPass pass = role == Role::kDataGradient     ? ConvPass::kDataGradient
                            : role == Role::kWeightGradient ? ConvPass::kWeightGradient
                                                            : ConvPass::kForward;
      kernel.shape = arithmetic_shape(op_name(shaped), arguments, pass);
    } else if (!arithmetic && role == Role::kAlone && op == shaped) {
      kernel.shape = tensor_shape(kernel.kernel_class, kernel.op, arguments);
    }
    return kernel;
  }

  [[nodiscard]] std::int32_t collect_copy(const DeviceRecord& record, Seconds length) {
    const std::string_view text = name(record);
    const auto has = [&](std::string_view part) {
      return text.find(part) != std::string_view::npos;
    };
    const CopyKind kind = record.kind == DeviceKind::kSet ? CopyKind::kSet
                          : has("HtoD")                   ? CopyKind::kHostToDevice
                          : has("DtoH")                   ? CopyKind::kDeviceToHost
                          : has("PtoP")                   ? CopyKind::kPeer
                                                          : CopyKind::kDeviceToDevice;
    const bool pageable = has("Pageable");
    auto& copies = workload_.copies;
    auto found = std::find_if(copies.begin(), copies.end(), [&](const DistinctCopy& copy) {
      return copy.kind == kind && copy.pageable == pageable;
    });
    if (found == copies.end()) {
      copies.push_back({kind, pageable, 0, Bytes(0), Seconds(0)});
      found = copies.end() - 1;
    }
    ++found->count;
    found->bytes += Bytes(static_cast<double>(record.bytes));
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
      if (items_[i] != kNone && records_.device[i].kind == DeviceKind::kKernel) {
        items_[i] = place[static_cast<std::size_t>(items_[i])];
      }
    }
  }

  const KinetoRecords& records_;
  const KinetoLinks& links_;
  Workload& workload_;
  StepItems items_;
  std::vector<Role> roles_;
  std::map<KernelKey, std::int32_t> kernel_ids_;
};

}  // namespace

StepItems collect_items(const KinetoRecords& records, const KinetoLinks& links,
                        const StepTimeline& timeline, Workload& workload) {
  return Collector(records, links, workload).run(timeline);
}

}  // namespace uplift::read
