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

}  // namespace uplift::predict
