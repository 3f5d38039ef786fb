// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/predict/op/attention_time.hpp"
#include "uplift/predict/op/collective_time.hpp"
#include "uplift/predict/op/conv_time.hpp"
#include "uplift/predict/op/copy_time.hpp"
#include "uplift/predict/op/elementwise_time.hpp"
#include "uplift/predict/op/embedding_time.hpp"
#include "uplift/predict/op/fft_time.hpp"
#include "uplift/predict/op/gemm_tensor_time.hpp"
#include "uplift/predict/op/gemm_time.hpp"
#include "uplift/predict/op/kernel_time.hpp"
#include "uplift/predict/op/layernorm_time.hpp"
#include "uplift/predict/op/reduce_time.hpp"
#include "uplift/predict/op/softmax_time.hpp"
#include "uplift/predict/op/spmv_time.hpp"
#include "uplift/predict/op/stencil_time.hpp"

#include <array>

namespace uplift::predict {
namespace {

bool on_cuda_cores(Math math) { return math == Math::kFp32 || math == Math::kFp64; }

const OpFamily* gemm_family(const Op& op) {
  const auto* shape = std::get_if<GemmShape>(&op.shape);
  if (shape == nullptr) return nullptr;
  if (on_cuda_cores(op.math)) {
    return shape->b > 1 ? &gemm_batched_fp32_family() : &gemm_fp32_family();
  }
  return op.math == Math::kFp8 ? &gemm_fp8_family() : &gemm_tensor_family();
}

const OpFamily* attention_family(const Op& op) {
  const auto* shape = std::get_if<AttentionShape>(&op.shape);
  if (shape == nullptr) return nullptr;
  // A few new tokens stream the whole cache past them: libraries have kernels for that alone.
  constexpr std::int64_t kFewQueries = 16;
  const bool decodes =
      !shape->backward && shape->q_len <= kFewQueries && shape->q_len < shape->kv_len;
  return decodes ? &attention_decode_family() : &attention_prefill_family();
}

}  // namespace

std::span<const OpFamily* const> op_families() {
  static const std::array kFamilies = {&gemm_fp32_family(),
                                       &gemm_batched_fp32_family(),
                                       &gemm_tensor_family(),
                                       &gemm_fp8_family(),
                                       &conv_fp32_family(),
                                       &conv_tensor_family(),
                                       &attention_prefill_family(),
                                       &attention_decode_family(),
                                       &softmax_family(),
                                       &layernorm_family(),
                                       &elementwise_family(),
                                       &reduce_family(),
                                       &embedding_family(),
                                       &fft_family(),
                                       &spmv_family(),
                                       &stencil_family(),
                                       &copy_family(),
                                       &collective_family(),
                                       &kernel_family()};
  return kFamilies;
}

const OpFamily* family_of(const Op& op) {
  switch (op.kind) {
    case OpKind::kGemm:
      return gemm_family(op);
    case OpKind::kConv2d:
    case OpKind::kConv3d:
      return on_cuda_cores(op.math) || op.math == Math::kFp64Tc ? &conv_fp32_family()
                                                                : &conv_tensor_family();
    case OpKind::kAttention:
      return attention_family(op);
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
    case OpKind::kAllReduce:
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
    case OpKind::kAllToAll:
    case OpKind::kSendRecv:
      return &collective_family();
    case OpKind::kKernel:
      return &kernel_family();
  }
  return nullptr;
}

Op as_run(Op op, const model::GpuModel& card) {
  op.math = card.tensor.choice[index(op.math)].math;
  const bool product = op.kind == OpKind::kGemm || op.kind == OpKind::kConv2d ||
                       op.kind == OpKind::kConv3d || op.kind == OpKind::kAttention;
  if (!product) return op;
  // Before Volta there are no tensor cores: products run on the CUDA cores and add up in FP32.
  constexpr ComputeCapability kFirstTensorCores{7, 0};
  if (card.compute_capability < kFirstTensorCores && op.math == Math::kFp16) op.math = Math::kFp32;
  const bool tensor_fp64 = card.tensor.choice[index(Math::kFp64Tc)].math == Math::kFp64Tc;
  if (op.kind == OpKind::kGemm && op.math == Math::kFp64 && tensor_fp64) op.math = Math::kFp64Tc;
  return op;
}

}  // namespace uplift::predict
