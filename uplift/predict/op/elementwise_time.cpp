// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/elementwise_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<ElementwiseConstants>;

constexpr std::array kKeys = {
    Key{"dram", &ElementwiseConstants::dram, 0.7, 1.3},
    Key{"l2", &ElementwiseConstants::l2, 0.1, 1.5},
    Key{"l2_reach", &ElementwiseConstants::l2_reach, 0.02, 0.5},
    Key{"power", &ElementwiseConstants::power, 5, 1000},
};

/// One read for every write keeps DRAM turning round more often than two reads for a write; stream
/// rates are those of an addition (two reads). Median over five cards.
constexpr double kOneInput = 0.975;

/// A power of two tensors shows no more than its traffic; one with a single exponent, which takes
/// another road in PyTorch, does.
bool takes_power(const ElementwiseShape& shape) {
  return shape.op == ElementwiseOp::kPow && shape.inputs < 2;
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<ElementwiseShape>(&op.shape);
  if (shape == nullptr) return {};
  return {std::log(std::max(1.0, least_bytes(op.shape, op.element_bytes).value())),
          shape->inputs < 2 ? 0.5 : 0.0, takes_power(*shape) ? 1.0 : 0.0};
}

}  // namespace

OpTime estimate_elementwise(const Op& op, const OpCard& card,
                            const ElementwiseConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<ElementwiseShape>(&op.shape);
  if (shape == nullptr) return time;
  const double n = static_cast<double>(shape->n);
  const double bytes = n * (static_cast<double>(shape->inputs) * op.element_bytes +
                            static_cast<double>(shape->outputs) * op.out_element_bytes);
  time.l2_share = share_kept(bytes, card.l2_bytes, constants.l2_reach);
  const double dram = bytes * (1.0 - time.l2_share) /
                      (constants.dram * card.stream * (shape->inputs < 2 ? kOneInput : 1.0));
  const double hits = bytes * time.l2_share / (constants.l2 * card.sms * 64.0 * card.clock);
  const double work = takes_power(*shape) ? n / 32.0 * constants.power / issue_rate(card) : 0.0;
  time.seconds = card.floor + overlap(dram + hits, work);
  time.bound = bound_of(card.floor, dram + hits, work, time.l2_share);
  return time;
}

const OpFamily& elementwise_family() {
  static const FamilyOf<ElementwiseConstants, kKeys.size()> kFamily("elementwise", kKeys,
                                                                    estimate_elementwise, describe);
  return kFamily;
}

}  // namespace uplift::predict
