// SPDX-License-Identifier: Apache-2.0
// One rule per operator whose argument list is known (PyTorch's native_functions.yaml).
#include "uplift/read/trace/op_arguments.hpp"

#include "uplift/read/trace/kernel_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace uplift::read {
namespace {

using Dims = std::vector<std::int64_t>;

constexpr std::size_t kMostArguments = 4096;
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 40;
constexpr std::int64_t kLargestStride = std::int64_t{1} << 20;  // times an extent: no overflow

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

double numel(const Dims& dims) {
  double count = dims.empty() ? 0 : 1;
  for (const auto extent : dims) count *= static_cast<double>(extent);
  return count;
}

/// `[[64, 3], [], [5]]` to `dims` and `elements`. A list of tensors (`[[[2, 3], [4]], …]`) has no
/// dims of its own, only the sum of their elements.
void parse_dims(std::string_view text, OpArguments& arguments) {
  const auto refuse = [&] {
    arguments.dims.clear();
    arguments.elements.clear();
  };
  Dims inner;  // of a tensor in a list
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[') {
      ++depth;
      if (depth == 2) {
        if (arguments.dims.size() >= kMostArguments) return refuse();
        arguments.dims.emplace_back();
        arguments.elements.push_back(0);
      } else if (depth == 3) {
        inner.clear();
      } else if (depth > 3) {
        return refuse();
      }
    } else if (c == ']') {
      if (depth == 3) arguments.elements.back() += numel(inner);
      if (depth == 2) arguments.elements.back() += numel(arguments.dims.back());
      --depth;
    } else if (c >= '0' && c <= '9' && depth >= 2) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
      if (error != std::errc() || value > kLargestExtent) return refuse();
      (depth == 2 ? arguments.dims.back() : inner).push_back(value);
      i = static_cast<std::size_t>(end - text.data()) - 1;
    }
  }
  if (depth != 0) refuse();
}

/// `["float", "", "[2, 2]"]` to strings.
std::vector<std::string> parse_strings(std::string_view text) {
  std::vector<std::string> strings;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      inside = !inside;
      if (inside) {
        if (strings.size() >= kMostArguments) return {};
        strings.emplace_back();
      }
    } else if (inside) {
      if (c == '\\' && i + 1 < text.size()) ++i;
      strings.back() += text[i];
    }
  }
  return strings;
}

std::int64_t to_count(double value) { return static_cast<std::int64_t>(std::min(value, 9.0e15)); }

const Dims* argument(const OpArguments& arguments, std::size_t i, std::size_t rank) {
  if (i >= arguments.dims.size() || arguments.dims[i].size() != rank) return nullptr;
  return &arguments.dims[i];
}

std::string_view concrete(const OpArguments& arguments, std::size_t i) {
  return i < arguments.concrete.size() ? std::string_view(arguments.concrete[i]) : "";
}

OpShape matrix_product(const OpArguments& arguments, std::size_t first, bool batched) {
  const std::size_t rank = batched ? 3 : 2;
  const Dims* a = argument(arguments, first, rank);
  const Dims* b = argument(arguments, first + 1, rank);
  if (a == nullptr || b == nullptr) return {};
  const std::size_t at = batched ? 1 : 0;
  if ((*a)[at + 1] != (*b)[at]) return {};
  return GemmShape{batched ? (*a)[0] : 1, (*a)[at], (*b)[at + 1], (*a)[at + 1]};
}

/// aten::linear and friends: x[…, k], weight[n, k].
OpShape linear(const OpArguments& arguments) {
  if (arguments.dims.size() < 2) return {};
  const Dims& x = arguments.dims[0];
  const Dims* w = argument(arguments, 1, 2);
  if (x.size() < 2 || w == nullptr || x.back() != (*w)[1] || x.back() == 0) return {};
  return GemmShape{1, to_count(numel(x)) / x.back(), (*w)[0], x.back()};
}

/// `[2, 2]` to numbers, padded to three axes as the spatial axes of a convolution are.
std::optional<std::array<std::int64_t, 3>> axes(std::string_view text, std::size_t rank,
                                                std::int64_t fill) {
  std::array<std::int64_t, 3> values = {fill, fill, fill};
  std::size_t at = 3 - rank;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') continue;
    if (at >= 3) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
    if (error != std::errc() || value > kLargestStride) return std::nullopt;
    values[at++] = value;
    i = static_cast<std::size_t>(end - text.data()) - 1;
  }
  if (at == 3 - rank + 1)
    std::fill(values.begin() + static_cast<long>(3 - rank), values.end(), values[3 - rank]);
  else if (at != 3)
    return std::nullopt;
  return values;
}

std::array<std::int64_t, 3> spatial(const Dims& dims) {
  std::array<std::int64_t, 3> values = {1, 1, 1};
  const std::size_t rank = dims.size() - 2;
  std::copy(dims.begin() + 2, dims.end(), values.end() - static_cast<long>(rank));
  return values;
}

/// Where an operator keeps stride, padding, dilation, transposed and groups.
struct ConvArguments {
  std::size_t input, weight, stride, padding, dilation, transposed, groups;
};
constexpr std::size_t kAbsent = SIZE_MAX;

std::optional<ConvArguments> conv_arguments(std::string_view op) {
  if (op == "aten::convolution_backward") return ConvArguments{1, 2, 4, 5, 6, 7, 9};
  if (op == "aten::cudnn_convolution") return ConvArguments{0, 1, 3, 2, 4, kAbsent, 5};
  if (op == "aten::convolution" || op == "aten::_convolution") {
    return ConvArguments{0, 1, 3, 4, 5, 6, 8};
  }
  if (op == "aten::conv2d" || op == "aten::conv3d" || op == "aten::conv1d") {
    return ConvArguments{0, 1, 3, 4, 5, kAbsent, 6};
  }
  if (op == "aten::_conv_depthwise2d") return ConvArguments{0, 1, 4, 5, 6, kAbsent, kAbsent};
  return std::nullopt;
}

OpShape convolution(std::string_view op, const OpArguments& arguments, ConvPass pass) {
  const auto at = conv_arguments(op);
  if (!at || arguments.dims.size() <= std::max(at->input, at->weight)) return {};
  const Dims& input = arguments.dims[at->input];
  const Dims& weight = arguments.dims[at->weight];
  if (input.size() < 3 || input.size() > 5 || weight.size() != input.size()) return {};
  if (at->transposed != kAbsent && concrete(arguments, at->transposed) == "True") return {};
  const std::size_t rank = input.size() - 2;
  ConvShape shape;
  shape.n = input[0];
  shape.c = input[1];
  shape.k = weight[0];
  const auto is_empty = [](std::int64_t extent) { return extent < 1; };
  if (std::any_of(input.begin(), input.end(), is_empty) ||
      std::any_of(weight.begin(), weight.end(), is_empty) || shape.c % weight[1] != 0) {
    return {};
  }
  shape.groups = shape.c / weight[1];
  shape.spatial = spatial(input);
  shape.filter = spatial(weight);
  shape.pass = pass;
  if (op == "aten::convolution_backward") {
    const Dims* gradient = argument(arguments, 0, input.size());
    if (gradient == nullptr) return {};
    shape.out = spatial(*gradient);
    return shape;
  }
  const auto stride = axes(concrete(arguments, at->stride), rank, 1);
  const auto padding = axes(concrete(arguments, at->padding), rank, 0);
  const auto dilation = axes(concrete(arguments, at->dilation), rank, 1);
  if (!stride || !padding || !dilation) return {};
  for (std::size_t i = 0; i < 3; ++i) {
    if ((*stride)[i] < 1) return {};
    const std::int64_t reach = (*dilation)[i] * (shape.filter[i] - 1) + 1;
    shape.out[i] = (shape.spatial[i] + 2 * (*padding)[i] - reach) / (*stride)[i] + 1;
    if (shape.out[i] < 1) return {};
  }
  return shape;
}

/// Where each attention operator keeps `is_causal`, or a `custom_mask_type` that is 0 for no mask
/// (PyTorch's native_functions.yaml). Longer names come first: they contain the shorter ones.
struct CausalArgument {
  std::string_view op;
  std::size_t at;
};
constexpr std::array kCausalArguments = {
    CausalArgument{"_scaled_dot_product_flash_attention_backward", 11},
    CausalArgument{"_scaled_dot_product_efficient_attention_backward", 11},
    CausalArgument{"_scaled_dot_product_cudnn_attention_backward", 14},
    CausalArgument{"_scaled_dot_product_flash_attention", 4},
    CausalArgument{"_scaled_dot_product_efficient_attention", 6},
    CausalArgument{"_scaled_dot_product_cudnn_attention", 6},
    CausalArgument{"_flash_attention_backward", 11},
    CausalArgument{"_efficient_attention_backward", 14},
    CausalArgument{"_cudnn_attention_backward", 14},
    CausalArgument{"_flash_attention_forward", 8},
    CausalArgument{"_efficient_attention_forward", 9},
    CausalArgument{"_cudnn_attention_forward", 10},
    CausalArgument{"scaled_dot_product_attention", 5},
};

bool is_causal(std::string_view op, const OpArguments& arguments) {
  for (const CausalArgument& known : kCausalArguments) {
    if (!has(op, known.op)) continue;
    const std::string_view value = concrete(arguments, known.at);
    return value == "True" || value == "1" || value == "2";
  }
  return false;
}

OpShape attention(std::string_view op, const OpArguments& arguments) {
  const bool backward = has(op, "backward");
  const std::size_t first = backward ? 1 : 0;  // the gradient comes first
  const Dims* q = argument(arguments, first, 4);
  const Dims* k = argument(arguments, first + 1, 4);
  if (q == nullptr || k == nullptr) return {};
  const auto is_empty = [](std::int64_t extent) { return extent < 1; };
  if (std::any_of(q->begin(), q->end(), is_empty) || std::any_of(k->begin(), k->end(), is_empty)) {
    return {};
  }
  // The outer operators take [b, heads, len, d]; the inner flash and efficient ones [b, len, heads,
  // d].
  const bool length_first = has(op, "_flash_attention_") || has(op, "_efficient_attention_");
  const bool outer = has(op, "scaled_dot_product") || has(op, "_cudnn_attention");
  const std::size_t head_axis = length_first && !outer ? 2 : 1;
  const std::size_t length_axis = 3 - head_axis;
  AttentionShape shape;
  shape.b = (*q)[0];
  shape.q_heads = (*q)[head_axis];
  shape.kv_heads = (*k)[head_axis];
  shape.q_len = (*q)[length_axis];
  shape.kv_len = (*k)[length_axis];
  shape.d = (*q)[3];
  shape.backward = backward;
  shape.causal = is_causal(op, arguments);
  return shape;
}

}  // namespace

OpArguments parse_op_arguments(std::string_view dims, std::string_view types,
                               std::string_view concrete) {
  OpArguments arguments;
  parse_dims(dims, arguments);
  arguments.types = parse_strings(types);
  arguments.concrete = parse_strings(concrete);
  return arguments;
}

double element_bytes(const OpArguments& arguments) {
  for (std::size_t i = 0; i < arguments.types.size() && i < arguments.dims.size(); ++i) {
    if (arguments.dims[i].empty()) continue;
    if (const double bytes = type_bytes(arguments.types[i]); bytes > 0) return bytes;
  }
  return 0;
}

std::string_view arithmetic_type(const OpArguments& arguments) {
  for (const auto& type : arguments.types) {
    if (type_math(type)) return type;
  }
  return {};
}

OpShape arithmetic_shape(std::string_view op, const OpArguments& arguments, ConvPass pass) {
  if (op == "aten::mm" || op == "aten::_scaled_mm") return matrix_product(arguments, 0, false);
  if (op == "aten::addmm" || op == "aten::_addmm_activation") {
    return matrix_product(arguments, 1, false);
  }
  if (op == "aten::bmm") return matrix_product(arguments, 0, true);
  if (op == "aten::baddbmm") return matrix_product(arguments, 1, true);
  if (op == "aten::linear") return linear(arguments);
  if (has(op, "attention")) return attention(op, arguments);
  if (has(op, "conv")) return convolution(op, arguments, pass);
  return {};
}

OpShape tensor_shape(KernelClass kernel_class, std::string_view op, const OpArguments& arguments) {
  double read = 0;
  double largest = 0;
  for (const double elements : arguments.elements) {
    read += elements;
    largest = std::max(largest, elements);
  }
  if (read <= 0) return {};
  switch (kernel_class) {
    case KernelClass::kElementwise:
      if (op == "aten::fill_" || op == "aten::zero_") return TensorShape{0, to_count(largest)};
      // copy_(self, source): self is only written.
      if (op == "aten::copy_" && arguments.elements.size() >= 2) {
        return TensorShape{to_count(arguments.elements[1]), to_count(arguments.elements[0])};
      }
      return TensorShape{to_count(read), to_count(largest)};
    case KernelClass::kSoftmax:
    case KernelClass::kNorm:
    case KernelClass::kLayout:
      return TensorShape{to_count(read), to_count(largest)};
    case KernelClass::kReduce:
      return TensorShape{to_count(read), 0};
    case KernelClass::kGemm:
    case KernelClass::kConv:
    case KernelClass::kAttention:
    case KernelClass::kEmbedding:
    case KernelClass::kOptimizer:
    case KernelClass::kPool:
    case KernelClass::kSort:
    case KernelClass::kCollective:
    case KernelClass::kOther:
      return {};
  }
  return {};
}

double tensor_element_bytes(std::string_view op, const OpArguments& arguments,
                            const TensorShape& shape) {
  const double fallback = element_bytes(arguments);
  std::vector<double> bytes;  // per argument, of one element
  double read = 0;
  double widest = 0;
  double widest_float = 0;
  for (std::size_t i = 0; i < arguments.elements.size(); ++i) {
    const auto type = i < arguments.types.size() ? std::string_view(arguments.types[i]) : "";
    bytes.push_back(type_bytes(type));
    if (arguments.elements[i] <= 0) continue;
    if (bytes[i] <= 0) return fallback;
    read += arguments.elements[i] * bytes[i];
    widest = std::max(widest, bytes[i]);
    if (type_math(type)) widest_float = std::max(widest_float, bytes[i]);
  }
  const auto elements = static_cast<double>(shape.read) + static_cast<double>(shape.written);
  if (elements <= 0 || widest <= 0) return fallback;
  // PyTorch's type promotion: the widest floating-point input decides about the output.
  double written = static_cast<double>(shape.written) * (widest_float > 0 ? widest_float : widest);
  if (op == "aten::copy_" && bytes.size() >= 2) {
    read = static_cast<double>(shape.read) * bytes[1];
    written = static_cast<double>(shape.written) * bytes[0];
  } else if (shape.read == 0) {
    read = 0;
  } else if (op == "aten::native_dropout") {
    written += static_cast<double>(shape.written);  // the mask, a byte each
  }
  return (read + written) / elements;
}

}  // namespace uplift::read
