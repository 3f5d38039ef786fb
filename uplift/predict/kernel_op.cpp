// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/kernel_op.hpp"

namespace uplift::predict {

std::optional<Op> as_op(const DistinctKernel& kernel) {
  Op op;
  if (kernel.kernel_class == KernelClass::kGemm &&
      std::holds_alternative<GemmShape>(kernel.shape)) {
    op.kind = OpKind::kGemm;
  } else if (kernel.kernel_class == KernelClass::kAttention &&
             std::holds_alternative<AttentionShape>(kernel.shape)) {
    op.kind = OpKind::kAttention;
  } else if (const auto* conv = std::get_if<ConvShape>(&kernel.shape);
             conv != nullptr && kernel.kernel_class == KernelClass::kConv) {
    const bool deep = conv->spatial[0] > 1 || conv->filter[0] > 1;
    op.kind = deep ? OpKind::kConv3d : OpKind::kConv2d;
  } else {
    return std::nullopt;
  }
  op.math = kernel.math.value_or(Math::kFp32);
  op.element_bytes = kernel.element_bytes > 0 ? kernel.element_bytes : storage_bytes(op.math);
  op.out_element_bytes = op.element_bytes;
  op.shape = kernel.shape;
  return op;
}

std::vector<TimedOp> timed_ops(const Workload& workload) {
  std::vector<TimedOp> timed;
  for (const DistinctKernel& kernel : workload.kernels) {
    auto op = as_op(kernel);
    if (!op || kernel.launches <= 0 || kernel.mean().value() <= 0) continue;
    TimedOp one;
    one.op = std::move(*op);
    one.seconds = kernel.mean().value();
    timed.push_back(std::move(one));
  }
  return timed;
}

}  // namespace uplift::predict
