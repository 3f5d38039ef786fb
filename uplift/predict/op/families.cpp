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

}  // namespace uplift::predict
