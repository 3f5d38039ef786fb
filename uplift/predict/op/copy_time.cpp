// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/copy_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<CopyConstants>;

constexpr std::array kKeys = {
    Key{"dram", &CopyConstants::dram, 0.5, 1.3},
    Key{"link", &CopyConstants::link, 0.5, 1.3},
    Key{"start", &CopyConstants::start, 1e-7, 2e-5},
    Key{"round_trip", &CopyConstants::round_trip, 1e-7, 2e-5},
};

Features describe(const Op& op) {
  const auto* shape = std::get_if<CopyShape>(&op.shape);
  if (shape == nullptr) return {};
  return {std::log(std::max(1.0, static_cast<double>(shape->bytes))),
          2.0 * static_cast<double>(shape->direction)};
}

}  // namespace

OpTime estimate_copy(const Op& op, const OpCard& card, const CopyConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<CopyShape>(&op.shape);
  if (shape == nullptr) return time;
  const double bytes = static_cast<double>(shape->bytes);
  time.bound = Bound::kCopy;
  if (shape->direction == CopyDirection::kDeviceToDevice) {
    time.seconds = card.floor + 2.0 * bytes / (constants.dram * card.stream);
    return time;
  }
  // A copy engine moves on at DRAM's rate at best, where no host link is known.
  const double link = card.host_link > 0 ? std::min(card.host_link, card.stream) : card.stream;
  const bool reads = shape->direction == CopyDirection::kHostToDevice;
  time.seconds =
      constants.start + (reads ? constants.round_trip : 0.0) + bytes / (constants.link * link);
  return time;
}

const OpFamily& copy_family() {
  static const FamilyOf<CopyConstants, kKeys.size()> kFamily("memcpy", kKeys, estimate_copy,
                                                             describe);
  return kFamily;
}

}  // namespace uplift::predict
