// SPDX-License-Identifier: Apache-2.0
// The shapes that PyTorch's profiler records with an operator (`Input Dims`, `Input type`,
// `Concrete Inputs`), read as the work of its kernels.
#pragma once

#include "uplift/core/kernel_class.hpp"
#include "uplift/core/op_shape.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace uplift::read {

/// The recorded arguments of one operator call.
struct OpArguments {
  std::vector<std::vector<std::int64_t>> dims;  ///< per argument; empty for scalars and lists
  std::vector<double> elements;                 ///< per argument; of a list, over all its tensors
  std::vector<std::string> types;               ///< per argument
  std::vector<std::string> concrete;            ///< per argument; empty strings for tensors
};

/// From the JSON text of the three lists; malformed text gives empty lists.
[[nodiscard]] OpArguments parse_op_arguments(std::string_view dims, std::string_view types,
                                             std::string_view concrete);

/// Bytes per element of the first tensor whose type is known; 0 if none is.
[[nodiscard]] double element_bytes(const OpArguments& arguments);

/// The framework type of the first tensor with a floating-point or quantised type; empty if none.
[[nodiscard]] std::string_view arithmetic_type(const OpArguments& arguments);

/// The shape of the arithmetic that operator `op` asks for. `pass` matters to convolutions only.
/// Unknown (monostate) for operators without a rule, missing shapes, and shapes that do not fit.
[[nodiscard]] OpShape arithmetic_shape(std::string_view op, const OpArguments& arguments,
                                       ConvPass pass);

/// The elements that a memory-bound kernel of class `kernel_class` under `op` reads and writes when
/// it is the only kernel of the call.
[[nodiscard]] OpShape tensor_shape(KernelClass kernel_class, std::string_view op,
                                   const OpArguments& arguments);

/// Bytes per element of that shape on average over what is read and written, where operands differ
/// in type; element_bytes() if the type of one is not known.
[[nodiscard]] double tensor_element_bytes(std::string_view op, const OpArguments& arguments,
                                          const TensorShape& shape);

}  // namespace uplift::read
