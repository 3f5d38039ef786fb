// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/winograd_time.hpp"

#include <limits>
#include <span>

namespace uplift::predict {
namespace {

/// Images x tile rows x tile columns of one fused block.
struct TileBox {
  double images, rows, columns;
};

constexpr std::array<TileBox, 5> kTileBoxes = {
    {{1, 4, 8}, {2, 2, 8}, {4, 1, 8}, {2, 4, 4}, {4, 2, 4}}};

/// One staged GEMM tile and how many fit on a multiprocessor.
struct StagedTile {
  double rows, columns, resident;
};

constexpr std::array<StagedTile, 4> kStagedTiles = {
    {{64, 64, 8}, {128, 32, 4}, {32, 128, 4}, {128, 64, 4}}};

constexpr double kTaps = 9;

/// The image plane that is cut into tiles: that of the outputs, or of the gradients of inputs.
const std::array<std::int64_t, 3>& tiled_extents(const ConvShape& shape) {
  return shape.pass == ConvPass::kDataGradient ? shape.spatial : shape.out;
}

double estimate_fused(double images, double rows, double columns, const ConvWork& work,
                      const OpCard& card, const WinogradConstants& constants, double lone) {
  const bool boxes_differ = card.generation < ComputeCapability{7, 0};
  const auto boxes = std::span(kTileBoxes).first(boxes_differ ? kTileBoxes.size() : 1);
  double least = std::numeric_limits<double>::infinity();
  for (const TileBox& box : boxes) {
    least = std::min(least, tiles_over(images, box.images) * tiles_over(rows, 2 * box.rows) *
                                tiles_over(columns, 2 * box.columns));
  }
  const double blocks = least * tiles_over(work.columns, 32);
  const double block_flops = 2.0 * 16 * 32 * 32 * (work.channels + constants.fused_start);
  return block_flops * card.sms / (constants.fused * card.rate) *
         wave_time(blocks, card.sms, 2, lone);
}

/// 36 products of [rows, depth] by [depth, columns], and the transforms around them.
double estimate_staged(double rows, double columns, double depth, const ConvWork& work,
                       const OpCard& card, const WinogradConstants& constants) {
  constexpr double kPoints = 36;
  double least = std::numeric_limits<double>::infinity();
  for (const StagedTile& tile : kStagedTiles) {
    const double blocks = kPoints * tiles_over(rows, tile.rows) * tiles_over(columns, tile.columns);
    least = std::min(least, tile.rows * tile.columns *
                                wave_time(blocks, card.sms, tile.resident, constants.staged_lone));
  }
  const double products =
      2.0 * least * (depth + constants.staged_start) * card.sms / (constants.staged * card.rate);
  const double transformed =
      kPoints * work.element_bytes * (rows * depth + depth * columns + rows * columns);
  return products + constants.passes * transformed / card.stream;
}

}  // namespace

bool has_winograd(const ConvShape& shape, const OpCard& card) {
  const bool in_library =
      card.generation < ComputeCapability{9, 0} || shape.pass == ConvPass::kWeightGradient;
  return in_library && shape.groups == 1 && shape.filter == std::array<std::int64_t, 3>{1, 3, 3} &&
         shape.stride == std::array<std::int64_t, 3>{1, 1, 1} &&
         shape.dilation == std::array<std::int64_t, 3>{1, 1, 1};
}

double estimate_winograd(const ConvShape& shape, const ConvWork& work, const OpCard& card,
                         const WinogradConstants& constants, double lone) {
  const auto& extents = tiled_extents(shape);
  const double images = static_cast<double>(shape.n) * static_cast<double>(extents[0]);
  const double rows = static_cast<double>(extents[1]);
  const double columns = static_cast<double>(extents[2]);
  const double tiles = images * tiles_over(rows, 4) * tiles_over(columns, 4);
  const double bytes = work.bytes() / card.stream;
  if (shape.pass == ConvPass::kWeightGradient) {
    const double channels = work.columns / kTaps;
    return 3 * card.floor + bytes +
           estimate_staged(work.rows, channels, tiles, work, card, constants);
  }
  const double staged =
      3 * card.floor + estimate_staged(tiles, work.columns, work.channels, work, card, constants);
  const double fused =
      card.floor + estimate_fused(images, rows, columns, work, card, constants, lone);
  return std::min(fused, staged) + bytes;
}

}  // namespace uplift::predict
