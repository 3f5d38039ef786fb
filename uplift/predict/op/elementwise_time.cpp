// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/elementwise_time.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<ElementwiseConstants>;

constexpr std::array kKeys = {
    Key{"dram", &ElementwiseConstants::dram, 0.7, 1.3},
    Key{"l2", &ElementwiseConstants::l2, 0.1, 1.5},
    Key{"l2_reach", &ElementwiseConstants::l2_reach, 0.05, 3.0},
    Key{"l2_steepness", &ElementwiseConstants::l2_steepness, 0.5, 6.0},
};

Features describe(const Op& op) {
  return {std::log(least_bytes(op.shape, op.element_bytes).value())};
}

}  // namespace

OpTime estimate_elementwise(const Op& op, const OpCard& card,
                            const ElementwiseConstants& constants) {
  const double bytes = least_bytes(op.shape, op.element_bytes).value();
  OpTime time;
  time.l2_share =
      1.0 / (1.0 + std::pow(bytes / (constants.l2_reach * card.l2_bytes), constants.l2_steepness));
  const double dram = bytes * (1.0 - time.l2_share) / (constants.dram * card.stream);
  const double hits = bytes * time.l2_share / (constants.l2 * card.sms * 64.0 * card.clock);
  time.seconds = card.floor + dram + hits;
  time.bound = time.l2_share > 0.5 ? Bound::kCache : Bound::kMemory;
  return time;
}

const OpFamily& elementwise_family() {
  static const FamilyOf<ElementwiseConstants, kKeys.size()> kFamily("elementwise", kKeys,
                                                                    estimate_elementwise, describe);
  return kFamily;
}

}  // namespace uplift::predict
