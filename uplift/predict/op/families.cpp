// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/predict/op/elementwise_time.hpp"
#include "uplift/predict/op/gemm_tensor_time.hpp"

#include <array>

namespace uplift::predict {

std::span<const OpFamily* const> op_families() {
  static const std::array kFamilies = {&elementwise_family(), &gemm_tensor_family(),
                                       &gemm_fp8_family()};
  return kFamilies;
}

}  // namespace uplift::predict
