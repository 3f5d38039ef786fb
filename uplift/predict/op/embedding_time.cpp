// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/embedding_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<EmbeddingConstants>;

constexpr std::array kKeys = {
    Key{"dram", &EmbeddingConstants::dram, 0.3, 1.3},
    Key{"block_cycles", &EmbeddingConstants::block_cycles, 0.1, 20},
    Key{"warp_issue", &EmbeddingConstants::warp_issue, 2, 500},
    Key{"sort_passes", &EmbeddingConstants::sort_passes, 1, 40},
};

constexpr double kSector = 32;        ///< bytes that DRAM delivers at least
constexpr double kIndexBytes = 8;     ///< PyTorch's indices are 64-bit integers
constexpr double kLoadBytes = 16;     ///< the widest load of a thread
constexpr double kBlockBytes = 4096;  ///< 256 threads of 16 bytes

Features describe(const Op& op) {
  const auto* shape = std::get_if<RowsShape>(&op.shape);
  if (shape == nullptr) return {};
  return {std::log(static_cast<double>(shape->rows)), std::log(static_cast<double>(shape->cols)),
          shape->backward ? 1.0 : 0.0};
}

}  // namespace

OpTime estimate_embedding(const Op& op, const OpCard& card, const EmbeddingConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<RowsShape>(&op.shape);
  if (shape == nullptr) return time;
  const double rows = static_cast<double>(shape->rows);
  const double cols = static_cast<double>(shape->cols);
  const double gathered = pieces(cols * op.element_bytes, kSector) * kSector;
  double bytes = rows * (gathered + cols * op.out_element_bytes + kIndexBytes);
  double kernels = 1;
  if (shape->backward) {
    // Each sorting pass reads and writes indices and their places; summing reads the table's row.
    kernels += constants.sort_passes;
    bytes += rows * (gathered + 4.0 * kIndexBytes * constants.sort_passes);
  }
  const double dram = bytes / (constants.dram * card.stream);
  const double row_bytes = cols * op.element_bytes;
  const bool whole_loads = std::fmod(row_bytes, kLoadBytes) == 0;
  const double work =
      whole_loads ? rows * pieces(row_bytes, kBlockBytes) * constants.block_cycles / card.clock
                  : rows * cols / 32 * constants.warp_issue / issue_rate(card);
  time.seconds = kernels * card.floor + overlap(dram, work);
  time.bound = bound_of(kernels * card.floor, dram, work, 0);
  return time;
}

const OpFamily& embedding_family() {
  static const FamilyOf<EmbeddingConstants, kKeys.size()> kFamily("embedding", kKeys,
                                                                  estimate_embedding, describe);
  return kFamily;
}

}  // namespace uplift::predict
