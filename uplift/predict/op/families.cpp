// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/predict/op/elementwise_time.hpp"

#include <array>

namespace uplift::predict {

std::span<const OpFamily* const> op_families() {
  static const std::array kFamilies = {&elementwise_family()};
  return kFamilies;
}

const OpFamily* family_of(const Op& op) {
  return op.kind == OpKind::kElementwise ? &elementwise_family() : nullptr;
}

Op as_run(Op op, const model::GpuModel& card) {
  op.math = card.tensor.choice[index(op.math)].math;
  const bool tensor_fp64 = card.tensor.choice[index(Math::kFp64Tc)].math == Math::kFp64Tc;
  if (op.kind == OpKind::kGemm && op.math == Math::kFp64 && tensor_fp64) op.math = Math::kFp64Tc;
  return op;
}

}  // namespace uplift::predict
