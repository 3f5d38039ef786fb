// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/predict/op/conv_time.hpp"
#include "uplift/predict/op/elementwise_time.hpp"

#include <array>

namespace uplift::predict {

std::span<const OpFamily* const> op_families() {
  static const std::array kFamilies = {&elementwise_family(), &conv_fp32_family(),
                                       &conv_tensor_family()};
  return kFamilies;
}

const OpFamily* family_of(const Op& op) {
  if (op.kind == OpKind::kElementwise) return &elementwise_family();
  if (op.kind == OpKind::kConv2d || op.kind == OpKind::kConv3d) {
    const bool cuda_cores =
        op.math == Math::kFp32 || op.math == Math::kFp64 || op.math == Math::kFp64Tc;
    return cuda_cores ? &conv_fp32_family() : &conv_tensor_family();
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
