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
  double resident;      ///< blocks on an SM that 64 K registers hold
  double warps;         ///< of a block, as the kernels are launched
  double shared_bytes;  ///< of a block
  double reckoned;      ///< share of its arithmetic rate, in the library's choice between tiles
};

constexpr Tile k128x128{128, 128, 2, 8, 16384, 0.95};
constexpr Tile k128x64{128, 64, 4, 4, 12288, 1.0};
constexpr Tile k64x64{64, 64, 8, 2, 9216, 0.8};
constexpr Tile k128x32{128, 32, 8, 8, 12288, 0.95};
constexpr Tile k32x128{32, 128, 8, 8, 12288, 0.95};
constexpr Tile k64x32{64, 32, 4, 8, 16384, 0.8};
constexpr Tile k32x32{32, 32, 4, 4, 16384, 0.75};

constexpr std::array kPascalPlain = {k128x64};
constexpr std::array kLaterTransposed = {k128x128, k128x64, k64x64, k32x128,
                                         k128x32,  k64x32,  k32x32};
constexpr std::array kVoltaPlain = {k64x64, k32x128, k128x32};
constexpr std::array kTuringPlain = {k128x64, k64x64, k128x32};
constexpr std::array kAmperePlain = {k128x128};

/// Steps of the contraction that filling and draining a block costs.
constexpr double kFillSteps = 20.0;
/// What a smaller tile loses, in the library's reckoning: it reads more operand per product.
constexpr double kSmallTileLoss = 0.15;
/// Warps on 64 lanes that hide the latency of the rest.
constexpr double kWarps = 7.0;
/// Partial results are written and read again.
constexpr double kSplitCost = 1.3;
/// Blocks of 32 x 128 that the library for compute capability 6 counts to a wave of an SM, and how
/// much faster than those of 64 x 64 it takes them to be on 6.0.
constexpr double kTallWave = 4.0;
constexpr double kTallGain = 1.07;
/// A split contraction keeps at least this many steps in a block.
constexpr double kLeastSteps = 64.0;

std::span<const Tile> tiles_of(ComputeCapability generation, Layout layout) {
  if (layout == Layout::kTransposed) return kLaterTransposed;
  if (generation.major < 7) return kPascalPlain;
  if (generation.major > 7) return kAmperePlain;
  if (generation.minor >= 5) return kTuringPlain;
  return kVoltaPlain;
}

double resident_blocks(const Tile& tile, const OpCard& card) {
  double resident = std::min(tile.resident, std::floor(card.threads_per_sm / (32.0 * tile.warps)));
  if (card.shared_bytes_per_sm > 0) {
    resident = std::min(resident, std::floor(card.shared_bytes_per_sm / tile.shared_bytes));
  }
  return std::max(1.0, resident);
}

Tiling cover(const Product& product, const Tile& tile, const OpCard& card) {
  Tiling tiling;
  tiling.columns = tile.columns;
  tiling.rows = tile.rows;
  tiling.resident = resident_blocks(tile, card);
  tiling.warps = tile.warps;
  tiling.across = std::ceil(product.n / tile.columns);
  tiling.down = std::ceil(product.m / tile.rows);
  return tiling;
}

void split(Tiling& tiling, const Product& product, double splits) {
  tiling.splits = splits;
  tiling.steps = 8.0 * std::ceil(product.k / splits / 8.0);
}

/// What the library for `card` takes a tile to cost, in products of one SM. Newer libraries count
/// the blocks of the fullest SM; those for compute capability 7 what an SM makes of them.
double reckon(const Tiling& tiling, const Tile& tile, const Product& product, const OpCard& card) {
  const double area = tile.columns * tile.rows * (tiling.steps + kFillSteps);
  const double splits = tiling.splits > 1.0 ? kSplitCost : 1.0;
  if (card.generation.major > 7) {
    return area * splits * std::ceil(tiling.blocks(product.b) / card.sms) / tile.reckoned;
  }
  const double loss = 1.0 + kSmallTileLoss * 0.5 * (128.0 / tile.columns + 128.0 / tile.rows - 2.0);
  return area * splits * loss * count_rounds(tiling, product.b, card, kWarps);
}

/// The library for compute capability 6 has three tiles of 4096 outputs for this layout and goes by
/// how many of them an SM gets. With many it takes the tile that ends after fewer whole waves; with
/// few a wide one. With less than a wave it splits the contraction, in two or such that an SM gets
/// about three blocks.
Tiling choose_early_transposed(const Product& product, const OpCard& card) {
  const Tiling square = cover(product, k64x64, card);
  const Tiling tall = cover(product, k32x128, card);
  const Tiling wide = cover(product, k128x32, card);
  const double squares = product.b * square.across * square.down / card.sms;
  const double talls = product.b * tall.across * tall.down / card.sms;
  const double wides = product.b * wide.across * wide.down / card.sms;
  const double each = std::min(squares, talls);
  Tiling chosen = square;
  if (each <= 1.0) {
    if (wides <= 1.25 * squares) chosen = wide;
  } else if (each > 2.0) {
    const double square_waves = std::ceil(squares / square.resident) * square.resident;
    const double tall_waves = std::ceil(talls / kTallWave) * kTallWave;
    const double gain = card.generation.minor == 0 ? kTallGain : 1.0;
    if (tall_waves < square_waves * gain) chosen = tall;
  }
  double splits = 1.0;
  if (each <= square.resident) {
    const double wanted = std::round(3.0 * card.sms / chosen.blocks(product.b));
    splits = std::clamp(std::floor(product.k / 128.0), 1.0, std::max(2.0, wanted));
  }
  split(chosen, product, splits);
  return chosen;
}

/// FP32 lanes of an SM (CUDA C++ Programming Guide, "Arithmetic Instructions": results per clock).
double fp32_lanes(const ComputeCapability& generation) {
  const bool few = generation == ComputeCapability{6, 0} || generation.major == 7 ||
                   generation == ComputeCapability{8, 0};
  return few ? 64.0 : 128.0;
}

}  // namespace

double count_rounds(const Tiling& tiling, double b, const OpCard& card, double warps) {
  const double each = tiling.blocks(b) / card.sms;
  const double full = std::floor(each / tiling.resident);
  const double rest = std::ceil(each - full * tiling.resident);
  if (rest <= 0) return full * tiling.resident;
  const double least =
      std::min(warps * fp32_lanes(card.generation) / 64.0 / tiling.warps, tiling.resident);
  return full * tiling.resident + std::max(rest, least);
}

Tiling choose_tiling(const Product& product, const OpCard& card) {
  const bool transposed = product.layout == Layout::kTransposed;
  if (transposed && card.generation.major < 7) return choose_early_transposed(product, card);
  Tiling best;
  double least = std::numeric_limits<double>::infinity();
  for (const Tile& tile : tiles_of(card.generation, product.layout)) {
    Tiling tiling = cover(product, tile, card);
    const double unsplit = tiling.blocks(product.b);
    const double most =
        transposed ? std::max(1.0, std::min(std::floor(card.sms * tiling.resident / unsplit),
                                            std::floor(product.k / kLeastSteps)))
                   : 1.0;
    for (const double splits : {1.0, std::floor(0.5 * (most + 1.0)), most}) {
      split(tiling, product, splits);
      const double cost = reckon(tiling, tile, product, card);
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
