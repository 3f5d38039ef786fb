// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/spmv_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<SpmvConstants>;

constexpr std::array kKeys = {
    Key{"dram", &SpmvConstants::dram, 0.3, 1.3},
    Key{"search", &SpmvConstants::search, 1e-7, 3e-6},
    Key{"alone", &SpmvConstants::alone, 0.02, 1.0},
    Key{"l2_reach", &SpmvConstants::l2_reach, 0.05, 1.0},
};

constexpr double kSector = 32;
constexpr double kKernels = 3;     ///< sharing out, clearing, multiplying
constexpr double kIndexBytes = 4;  ///< cuSPARSE's usual 32-bit indices

Features describe(const Op& op) {
  const auto* shape = std::get_if<SpmvShape>(&op.shape);
  if (shape == nullptr) return {};
  return {std::log(static_cast<double>(shape->nnz)), std::log(static_cast<double>(shape->rows))};
}

}  // namespace

OpTime estimate_spmv(const Op& op, const OpCard& card, const SpmvConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<SpmvShape>(&op.shape);
  if (shape == nullptr) return time;
  const double nnz = static_cast<double>(shape->nnz);
  const double rows = static_cast<double>(shape->rows);
  const double vector = rows * op.element_bytes;
  const double gathered = nnz * constants.alone * kSector;
  time.l2_share = std::min(1.0, constants.l2_reach * card.l2_bytes / std::max(1.0, vector));
  const double bytes = nnz * (op.element_bytes + kIndexBytes) + rows * kIndexBytes +
                       rows * op.out_element_bytes +
                       std::max(vector, gathered * (1.0 - time.l2_share));
  const double dram = bytes / (constants.dram * card.stream);
  const double hits = card.l2_bandwidth > 0 ? gathered / card.l2_bandwidth : 0.0;
  const double start = kKernels * card.floor + constants.search * std::log2(rows);
  time.seconds = start + overlap(dram, hits);
  time.bound = hits > dram ? Bound::kCache : bound_of(start, dram, 0, 0);
  return time;
}

const OpFamily& spmv_family() {
  static const FamilyOf<SpmvConstants, kKeys.size()> kFamily("spmv", kKeys, estimate_spmv,
                                                             describe);
  return kFamily;
}

}  // namespace uplift::predict
