// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/stencil_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<StencilConstants>;

constexpr std::array kKeys = {
    Key{"dram", &StencilConstants::dram, 0.3, 1.3},
    Key{"loads", &StencilConstants::loads, 0.3, 20},
    Key{"l2_reach", &StencilConstants::l2_reach, 0.05, 1.0},
};

Features describe(const Op& op) {
  const auto* shape = std::get_if<StencilShape>(&op.shape);
  if (shape == nullptr) return {};
  return {std::log(static_cast<double>(shape->points)),
          std::log(1.0 + static_cast<double>(shape->radius))};
}

}  // namespace

OpTime estimate_stencil(const Op& op, const OpCard& card, const StencilConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<StencilShape>(&op.shape);
  if (shape == nullptr) return time;
  const double points = static_cast<double>(shape->points);
  const double reach = static_cast<double>(shape->radius);
  // Planes of a cube: those that a later plane reads again. What L2 loses of them is read again, at
  // most once for each plane on the way.
  const double side = std::cbrt(points);
  const double planes = (2.0 * reach + 1.0) * side * side * op.element_bytes;
  const double lost = share_reread(1.0, planes, card.l2_bytes, constants.l2_reach);
  const double bytes =
      points * (op.element_bytes * (1.0 + 2.0 * reach * lost) + op.out_element_bytes);
  const double dram = bytes / (constants.dram * card.stream);
  const double loads = points / 32.0 * (6.0 * reach + 1.0) * std::max(1.0, op.element_bytes / 4.0) *
                       constants.loads / (card.sms * card.clock);
  time.seconds = card.floor + overlap(dram, loads);
  time.bound = bound_of(card.floor, dram, loads, 0);
  return time;
}

const OpFamily& stencil_family() {
  static const FamilyOf<StencilConstants, kKeys.size()> kFamily("stencil", kKeys, estimate_stencil,
                                                                describe);
  return kFamily;
}

}  // namespace uplift::predict
