// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/predict/op/attention_time.hpp"
#include "uplift/predict/op/collective_time.hpp"
#include "uplift/predict/op/elementwise_time.hpp"

#include <array>

namespace uplift::predict {

std::span<const OpFamily* const> op_families() {
  static const std::array kFamilies = {&elementwise_family(), &attention_prefill_family(),
                                       &attention_decode_family(), &collective_family()};
  return kFamilies;
}

}  // namespace uplift::predict
