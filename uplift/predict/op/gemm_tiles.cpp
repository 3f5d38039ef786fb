// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/gemm_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace uplift::predict {
namespace {

struct Tile {
  double columns, rows;
  double resident;  ///< blocks on an SM: 64 K registers over those of a block
  double warps;     ///< of a block, as the kernels are launched
};

constexpr Tile k128x128{128, 128, 2, 8};
constexpr Tile k128x64{128, 64, 4, 4};
constexpr Tile k64x64{64, 64, 8, 2};
constexpr Tile k128x32{128, 32, 4, 8};
constexpr Tile k32x128{32, 128, 4, 8};
constexpr Tile k64x32{64, 32, 4, 8};
constexpr Tile k32x32{32, 32, 4, 4};

constexpr std::array kPascalTransposed = {k64x64, k32x128, k128x32};
constexpr std::array kPascalPlain = {k128x64};
constexpr std::array kLaterTransposed = {k128x128, k128x64, k64x64, k32x128,
                                         k128x32,  k64x32,  k32x32};
constexpr std::array kVoltaPlain = {k64x64, k32x128, k128x32};
constexpr std::array kTuringPlain = {k128x64, k64x64, k128x32};
constexpr std::array kAmperePlain = {k128x128};

/// What a smaller tile loses, in the library's reckoning: it reads more operand per product.
constexpr double kSmallTileLoss = 0.15;
/// Steps of the contraction that filling and draining a block costs.
constexpr double kFillSteps = 20.0;
/// Warps on 64 lanes that hide the latency of the rest.
constexpr double kWarps = 7.0;
/// A split contraction keeps at least this many steps in a block.
constexpr double kLeastSteps = 64.0;

std::span<const Tile> tiles_of(ComputeCapability generation, Layout layout) {
  if (layout == Layout::kTransposed) {
    if (generation.major < 7) return kPascalTransposed;
    return kLaterTransposed;
  }
  if (generation.major < 7) return kPascalPlain;
  if (generation.major > 7) return kAmperePlain;
  if (generation.minor >= 5) return kTuringPlain;
  return kVoltaPlain;
}

}  // namespace

double count_rounds(const Tiling& tiling, double b, const OpCard& card, double warps) {
  const double each = tiling.blocks(b) / card.sms;
  const double full = std::floor(each / tiling.resident);
  const double rest = std::ceil(each - full * tiling.resident);
  if (rest <= 0) return full * tiling.resident;
  // FP32 lanes of an SM, from the data sheet: a fused multiply-add a cycle each.
  const double lanes = card.peak > 0 ? card.peak / (2.0 * card.clock * card.sms) : 64.0;
  const double least = std::min(warps * lanes / 64.0 / tiling.warps, tiling.resident);
  return full * tiling.resident + std::max(rest, least);
}

Tiling choose_tiling(const Product& product, const OpCard& card) {
  Tiling best;
  double least = std::numeric_limits<double>::infinity();
  for (const Tile& tile : tiles_of(card.generation, product.layout)) {
    Tiling tiling;
    tiling.columns = tile.columns;
    tiling.rows = tile.rows;
    tiling.resident = tile.resident;
    tiling.warps = tile.warps;
    tiling.across = std::ceil(product.n / tile.columns);
    tiling.down = std::ceil(product.m / tile.rows);
    const double loss =
        1.0 + kSmallTileLoss * 0.5 * (128.0 / tile.columns + 128.0 / tile.rows - 2.0);
    const double room = card.sms * tile.resident;
    const double unsplit = tiling.blocks(product.b);
    const double most = product.layout == Layout::kPlain
                            ? 1.0
                            : std::max(1.0, std::min(std::floor(room / unsplit),
                                                     std::floor(product.k / kLeastSteps)));
    for (const double splits : {1.0, std::floor(0.5 * (most + 1.0)), most}) {
      tiling.splits = splits;
      tiling.steps = 8.0 * std::ceil(product.k / splits / 8.0);
      const double rounds = count_rounds(tiling, product.b, card, kWarps);
      double cost = 2.0 * tile.columns * tile.rows * (tiling.steps + kFillSteps) * loss * rounds *
                    card.sms / card.rate;
      if (splits > 1.0) {
        cost += 4.0 * product.b * product.m * product.n * (2.0 * splits + 1.0) / card.stream +
                card.floor;
      }
      if (cost < least) {
        least = cost;
        best = tiling;
      }
      if (most <= 1.0) break;
    }
  }
  return best;
}

}  // namespace uplift::predict
