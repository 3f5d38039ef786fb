// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/predict/op/copy_time.hpp"
#include "uplift/predict/op/elementwise_time.hpp"
#include "uplift/predict/op/embedding_time.hpp"
#include "uplift/predict/op/fft_time.hpp"
#include "uplift/predict/op/kernel_time.hpp"
#include "uplift/predict/op/layernorm_time.hpp"
#include "uplift/predict/op/reduce_time.hpp"
#include "uplift/predict/op/softmax_time.hpp"
#include "uplift/predict/op/spmv_time.hpp"
#include "uplift/predict/op/stencil_time.hpp"

#include <array>

namespace uplift::predict {

std::span<const OpFamily* const> op_families() {
  static const std::array kFamilies = {
      &softmax_family(),   &layernorm_family(), &elementwise_family(), &reduce_family(),
      &embedding_family(), &fft_family(),       &spmv_family(),        &stencil_family(),
      &copy_family(),      &kernel_family()};
  return kFamilies;
}

const OpFamily* family_of(const Op& op) {
  switch (op.kind) {
    case OpKind::kSoftmax:
      return &softmax_family();
    case OpKind::kLayerNorm:
      return &layernorm_family();
    case OpKind::kElementwise:
      return &elementwise_family();
    case OpKind::kReduce:
      return &reduce_family();
    case OpKind::kEmbedding:
      return &embedding_family();
    case OpKind::kFft:
      return &fft_family();
    case OpKind::kSpmv:
      return &spmv_family();
    case OpKind::kStencil:
      return &stencil_family();
    case OpKind::kMemcpy:
      return &copy_family();
    case OpKind::kKernel:
      return &kernel_family();
    case OpKind::kGemm:
    case OpKind::kConv2d:
    case OpKind::kConv3d:
    case OpKind::kAttention:
    case OpKind::kAllReduce:
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
    case OpKind::kAllToAll:
    case OpKind::kSendRecv:
      return nullptr;
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
