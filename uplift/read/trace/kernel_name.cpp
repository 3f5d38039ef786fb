// SPDX-License-Identifier: Apache-2.0
// Tables of name parts, in order of precedence.
#include "uplift/read/trace/kernel_name.hpp"

#include <array>
#include <cctype>
#include <span>

namespace uplift::read {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <class Value>
struct Rule {
  std::string_view part;
  Value value;
};

template <class Value>
std::optional<Value> first_match(std::string_view text, std::span<const Rule<Value>> rules) {
  for (const auto& rule : rules) {
    if (has(text, rule.part)) return rule.value;
  }
  return std::nullopt;
}

using Class = KernelClass;

// The helpers of a library come before its main kernels: a Winograd transform is no convolution.
constexpr std::array kKernelRules = {
    Rule<Class>{"nccl", Class::kCollective},
    Rule<Class>{"ncclDevKernel", Class::kCollective},
    Rule<Class>{"flash_", Class::kAttention},
    Rule<Class>{"fmha", Class::kAttention},
    Rule<Class>{"_sdpa_", Class::kAttention},
    Rule<Class>{"attn_fwd", Class::kAttention},
    Rule<Class>{"attn_bwd", Class::kAttention},
    Rule<Class>{"attention", Class::kAttention},
    Rule<Class>{"Attention", Class::kAttention},
    Rule<Class>{"multi_tensor_apply", Class::kOptimizer},
    Rule<Class>{"FusedAdam", Class::kOptimizer},
    Rule<Class>{"fused_adam", Class::kOptimizer},
    Rule<Class>{"winogradForwardData", Class::kLayout},
    Rule<Class>{"winogradForwardOutput", Class::kLayout},
    Rule<Class>{"winogradForwardFilter", Class::kLayout},
    Rule<Class>{"winogradWgradData", Class::kLayout},
    Rule<Class>{"winogradWgradDelta", Class::kLayout},
    Rule<Class>{"winogradWgradOutput", Class::kLayout},
    Rule<Class>{"generateWinogradTiles", Class::kLayout},
    Rule<Class>{"nchwToNhwc", Class::kLayout},
    Rule<Class>{"nhwcToNchw", Class::kLayout},
    Rule<Class>{"nchwAddPadding", Class::kLayout},
    Rule<Class>{"nhwcAddPadding", Class::kLayout},
    Rule<Class>{"im2col", Class::kLayout},
    Rule<Class>{"col2im", Class::kLayout},
    Rule<Class>{"vol2col", Class::kLayout},
    Rule<Class>{"computeOffsets", Class::kLayout},
    Rule<Class>{"computeWgrad", Class::kLayout},
    Rule<Class>{"computeBOffsets", Class::kLayout},
    Rule<Class>{"tensorTransform", Class::kLayout},
    Rule<Class>{"transpose_readWrite", Class::kLayout},
    Rule<Class>{"dgrad2d_alg1_1", Class::kConv},
    Rule<Class>{"splitKreduce", Class::kReduce},
    Rule<Class>{"splitK_reduce", Class::kReduce},
    Rule<Class>{"reduce_wgrad", Class::kReduce},
    Rule<Class>{"scalePackedTensor", Class::kElementwise},
    Rule<Class>{"op_tensor_kernel", Class::kElementwise},
    Rule<Class>{"pooling_", Class::kPool},
    Rule<Class>{"max_pool", Class::kPool},
    Rule<Class>{"avg_pool", Class::kPool},
    Rule<Class>{"adaptive_average", Class::kPool},
    Rule<Class>{"bn_fw_", Class::kNorm},
    Rule<Class>{"bn_bw_", Class::kNorm},
    Rule<Class>{"batchnorm", Class::kNorm},
    Rule<Class>{"batch_norm", Class::kNorm},
    Rule<Class>{"BatchNorm", Class::kNorm},
    Rule<Class>{"layer_norm", Class::kNorm},
    Rule<Class>{"LayerNorm", Class::kNorm},
    Rule<Class>{"GroupNorm", Class::kNorm},
    Rule<Class>{"group_norm", Class::kNorm},
    Rule<Class>{"RowwiseMoments", Class::kNorm},
    Rule<Class>{"GammaBeta", Class::kNorm},
    Rule<Class>{"rms_norm", Class::kNorm},
    Rule<Class>{"RMSNorm", Class::kNorm},
    Rule<Class>{"softmax", Class::kSoftmax},
    Rule<Class>{"SoftMax", Class::kSoftmax},
    Rule<Class>{"Softmax", Class::kSoftmax},
    Rule<Class>{"implicit_gemm", Class::kConv},
    Rule<Class>{"ImplicitGemm", Class::kConv},
    Rule<Class>{"implicit_convolve", Class::kConv},
    Rule<Class>{"explicit_convolve", Class::kConv},
    Rule<Class>{"convolve", Class::kConv},
    Rule<Class>{"scudnn", Class::kConv},
    Rule<Class>{"cudnn_winograd", Class::kConv},
    Rule<Class>{"winograd", Class::kConv},
    Rule<Class>{"wgrad", Class::kConv},
    Rule<Class>{"dgrad", Class::kConv},
    Rule<Class>{"fprop", Class::kConv},
    Rule<Class>{"884cudnn", Class::kConv},
    Rule<Class>{"1688cudnn", Class::kConv},
    Rule<Class>{"16816cudnn", Class::kConv},
    Rule<Class>{"conv_depthwise", Class::kConv},
    Rule<Class>{"conv2d", Class::kConv},
    Rule<Class>{"conv3d", Class::kConv},
    Rule<Class>{"conv1d", Class::kConv},
    Rule<Class>{"nvjet", Class::kGemm},
    Rule<Class>{"gemm", Class::kGemm},
    Rule<Class>{"Gemm", Class::kGemm},
    Rule<Class>{"GEMM", Class::kGemm},
    Rule<Class>{"gemv", Class::kGemm},
    Rule<Class>{"triton_tem_fused_mm", Class::kGemm},
    Rule<Class>{"triton_tem_fused_bmm", Class::kGemm},
    Rule<Class>{"triton_tem_fused_addmm", Class::kGemm},
    Rule<Class>{"triton_tem_fused_conv", Class::kConv},
    Rule<Class>{"fft2d_", Class::kLayout},  // the transforms of a convolution by FFT
    Rule<Class>{"fft", Class::kOther},
    Rule<Class>{"FFT", Class::kOther},
    Rule<Class>{"radix_sort", Class::kSort},
    Rule<Class>{"RadixSort", Class::kSort},
    Rule<Class>{"bitonicSort", Class::kSort},
    Rule<Class>{"DeviceScan", Class::kSort},
    Rule<Class>{"tensor_kernel_scan", Class::kSort},
    Rule<Class>{"DeviceSelect", Class::kSort},
    Rule<Class>{"DeviceUnique", Class::kSort},
    Rule<Class>{"DeviceMerge", Class::kSort},
    Rule<Class>{"gatherTopK", Class::kSort},
    Rule<Class>{"embedding", Class::kEmbedding},
    Rule<Class>{"Embedding", Class::kEmbedding},
    Rule<Class>{"index_elementwise", Class::kEmbedding},
    Rule<Class>{"indexSelect", Class::kEmbedding},
    Rule<Class>{"indexing_backward", Class::kEmbedding},
    Rule<Class>{"scatter_gather", Class::kEmbedding},
    Rule<Class>{"vectorized_gather", Class::kEmbedding},
    Rule<Class>{"CatArrayBatchedCopy", Class::kLayout},
    Rule<Class>{"transpose", Class::kLayout},
    Rule<Class>{"Transpose", Class::kLayout},
    Rule<Class>{"reduce_kernel", Class::kReduce},
    Rule<Class>{"DeviceReduce", Class::kReduce},
    Rule<Class>{"nll_loss", Class::kReduce},
    Rule<Class>{"ClassNLLCriterion", Class::kReduce},
    Rule<Class>{"triton_red_", Class::kReduce},
    Rule<Class>{"triton_per_", Class::kNorm},
    Rule<Class>{"elementwise", Class::kElementwise},
    Rule<Class>{"dropout", Class::kElementwise},
    Rule<Class>{"distribution_", Class::kElementwise},
    Rule<Class>{"upsample", Class::kElementwise},
    Rule<Class>{"triton_poi_", Class::kElementwise},
    Rule<Class>{"triton_", Class::kElementwise},
};

constexpr std::array kOpRules = {
    Rule<Class>{"attention", Class::kAttention},
    Rule<Class>{"conv", Class::kConv},
    Rule<Class>{"aten::mm", Class::kGemm},
    Rule<Class>{"addmm", Class::kGemm},
    Rule<Class>{"bmm", Class::kGemm},
    Rule<Class>{"_scaled_mm", Class::kGemm},
    Rule<Class>{"aten::linear", Class::kGemm},
    Rule<Class>{"aten::matmul", Class::kGemm},
    Rule<Class>{"softmax", Class::kSoftmax},
    Rule<Class>{"_norm", Class::kNorm},
    Rule<Class>{"embedding", Class::kEmbedding},
    Rule<Class>{"index", Class::kEmbedding},
    Rule<Class>{"gather", Class::kEmbedding},
    Rule<Class>{"scatter", Class::kEmbedding},
    Rule<Class>{"pool", Class::kPool},
    Rule<Class>{"aten::sum", Class::kReduce},
    Rule<Class>{"aten::mean", Class::kReduce},
    Rule<Class>{"aten::cat", Class::kLayout},
    Rule<Class>{"aten::sort", Class::kSort},
    Rule<Class>{"aten::topk", Class::kSort},
    Rule<Class>{"aten::cumsum", Class::kSort},
    Rule<Class>{"_foreach_", Class::kOptimizer},
    Rule<Class>{"_fused_adam", Class::kOptimizer},
};

// Formats that a name states for certain, most specific first. "s1688" without a format is TF32 on
// FP32 data, as cuBLAS and CUTLASS name it.
constexpr std::array kMathRules = {
    Rule<Math>{"e4m3", Math::kFp8},      Rule<Math>{"e5m2", Math::kFp8},
    Rule<Math>{"Float8", Math::kFp8},    Rule<Math>{"float_e4m3", Math::kFp8},
    Rule<Math>{"tf32", Math::kTf32},     Rule<Math>{"bf16", Math::kBf16},
    Rule<Math>{"bfloat16", Math::kBf16}, Rule<Math>{"BFloat16", Math::kBf16},
    Rule<Math>{"f16f16", Math::kFp16},   Rule<Math>{"fp16", Math::kFp16},
    Rule<Math>{"_f16", Math::kFp16},     Rule<Math>{"half_t", Math::kFp16},
    Rule<Math>{"__half", Math::kFp16},   Rule<Math>{"c10::Half", Math::kFp16},
    Rule<Math>{"h884", Math::kFp16},     Rule<Math>{"s884", Math::kFp16},
    Rule<Math>{"h1688", Math::kFp16},    Rule<Math>{"h16816", Math::kFp16},
    Rule<Math>{"hgemm", Math::kFp16},    Rule<Math>{"s16816", Math::kFp16},
    Rule<Math>{"i8i8", Math::kInt8},     Rule<Math>{"imma", Math::kInt8},
    Rule<Math>{"int8", Math::kInt8},     Rule<Math>{"i16832", Math::kInt8},
    Rule<Math>{"i8816", Math::kInt8},    Rule<Math>{"d884", Math::kFp64Tc},
    Rule<Math>{"dgemm", Math::kFp64},    Rule<Math>{"f64f64", Math::kFp64},
    Rule<Math>{"double", Math::kFp64},   Rule<Math>{"s1688", Math::kTf32},
    Rule<Math>{"f32f32", Math::kFp32},   Rule<Math>{"sgemm", Math::kFp32},
    Rule<Math>{"cgemm", Math::kFp32},    Rule<Math>{"scudnn", Math::kFp32},
    Rule<Math>{"ffma", Math::kFp32},     Rule<Math>{"_simt_", Math::kFp32},
    Rule<Math>{"<float", Math::kFp32},
};

/// cuBLAS names its Hopper and later kernels nvjet[_smNN]_XYZ_…: X is the input type.
std::optional<Math> nvjet_math(std::string_view kernel) {
  const std::size_t at = kernel.find("nvjet_");
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = kernel.substr(at + 6);
  if (rest.starts_with("sm")) {
    const std::size_t next = rest.find('_');
    if (next == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(next + 1);
  }
  switch (rest.empty() ? '\0' : rest.front()) {
    case 'h':
      return Math::kFp16;
    case 't':
      return Math::kBf16;
    case 's':
      return Math::kTf32;
    case 'q':
    case 'o':
      return Math::kFp8;
    case 'd':
      return Math::kFp64Tc;
    default:
      return std::nullopt;
  }
}

}  // namespace

KernelClass classify_kernel(std::string_view kernel, std::string_view op) {
  if (auto found = first_match<Class>(kernel, kKernelRules)) {
    // A GEMM that an attention or convolution operator launched does that operator's arithmetic.
    if (*found == Class::kGemm && has(op, "conv")) return Class::kConv;
    return *found;
  }
  return first_match<Class>(op, kOpRules).value_or(Class::kOther);
}

std::optional<Math> kernel_math(std::string_view kernel) {
  if (auto math = nvjet_math(kernel)) return math;
  return first_match<Math>(kernel, kMathRules);
}

std::optional<Math> type_math(std::string_view type) {
  if (type == "float") return Math::kFp32;
  if (type == "c10::Half") return Math::kFp16;
  if (type == "c10::BFloat16") return Math::kBf16;
  if (type == "double") return Math::kFp64;
  if (has(type, "Float8")) return Math::kFp8;
  if (type == "signed char" || type == "unsigned char") return Math::kInt8;
  return std::nullopt;
}

double type_bytes(std::string_view type) {
  if (type == "float" || type == "int") return 4;
  if (type == "c10::Half" || type == "c10::BFloat16" || type == "short") return 2;
  if (type == "double" || type == "long int" || type == "long" || type == "c10::complex<float>") {
    return 8;
  }
  if (type == "c10::complex<double>") return 16;
  if (type == "bool" || type == "signed char" || type == "unsigned char" || has(type, "Float8")) {
    return 1;
  }
  return 0;
}

double opaque_bytes(std::string_view kernel) {
  constexpr std::string_view kOpaque = "OpaqueType<";
  const std::size_t at = kernel.find(kOpaque);
  if (at == std::string_view::npos || at + kOpaque.size() >= kernel.size()) return 0;
  const char digit = kernel[at + kOpaque.size()];
  return digit >= '1' && digit <= '8' ? digit - '0' : 0;
}

std::optional<ConvPass> conv_pass(std::string_view kernel) {
  if (has(kernel, "wgrad") || has(kernel, "Wgrad") || has(kernel, "splitK_")) {
    return ConvPass::kWeightGradient;
  }
  if (has(kernel, "dgrad") || has(kernel, "stridedB")) return ConvPass::kDataGradient;
  if (has(kernel, "fprop") || has(kernel, "implicit_convolve") || has(kernel, "_relu_")) {
    return ConvPass::kForward;
  }
  return std::nullopt;
}

bool does_arithmetic(KernelClass kernel_class, std::string_view kernel) {
  if (has(kernel, "preprocess") || has(kernel, "dot_do_o") || has(kernel, "convert_dq"))
    return false;
  return kernel_class == Class::kGemm || kernel_class == Class::kConv ||
         kernel_class == Class::kAttention;
}

bool is_amd_kernel(std::string_view kernel) {
  return kernel.starts_with("Cijk_") || has(kernel, "__amd_") || has(kernel, "hipLaunch") ||
         has(kernel, "miopen");
}

}  // namespace uplift::read
