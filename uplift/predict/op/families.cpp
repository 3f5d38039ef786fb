// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/predict/op/elementwise_time.hpp"
#include "uplift/predict/op/gemm_time.hpp"

#include <array>

namespace uplift::predict {

std::span<const OpFamily* const> op_families() {
  static const std::array kFamilies = {&gemm_fp32_family(), &gemm_batched_fp32_family(),
                                       &elementwise_family()};
  return kFamilies;
}

const OpFamily* family_of(const Op& op) {
  if (op.kind == OpKind::kElementwise) return &elementwise_family();
  const auto* product = std::get_if<GemmShape>(&op.shape);
  if (op.kind == OpKind::kGemm && product != nullptr &&
      (op.math == Math::kFp32 || op.math == Math::kFp64)) {
    return product->b > 1 ? &gemm_batched_fp32_family() : &gemm_fp32_family();
  }
  return nullptr;
}

Op as_run(Op op, const model::GpuModel& card) {
  op.math = card.tensor.choice[index(op.math)].math;
  const bool tensor_fp64 = card.tensor.choice[index(Math::kFp64Tc)].math == Math::kFp64Tc;
  if (op.kind == OpKind::kGemm && op.math == Math::kFp64 && tensor_fp64) op.math = Math::kFp64Tc;
  return op;
}

}  // namespace uplift::predict
