// SPDX-License-Identifier: Apache-2.0
// Tiles and waves of a matrix product; the few constants are those of library kernels in general.
#include "uplift/predict/tiled_product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace uplift::predict {
namespace {

struct Tile {
  double rows, columns;
  double
      efficiency;  ///< of a full tile, relative to the largest: smaller tiles reuse operands less
};

constexpr std::array kTiles = {Tile{256, 128, 1.00}, Tile{128, 128, 0.97}, Tile{128, 64, 0.92},
                               Tile{64, 64, 0.80},   Tile{128, 32, 0.72},  Tile{32, 128, 0.72},
                               Tile{32, 32, 0.50},   Tile{16, 64, 0.40},   Tile{64, 16, 0.40}};
constexpr std::array kSplits = {1.0, 2.0, 4.0, 8.0, 16.0, 32.0};

/// Steps of the contraction that filling and draining a tile's pipeline costs.
double pipeline_steps(Math math) {
  return math == Math::kFp32 || math == Math::kFp64 ? 24.0 : 96.0;
}

/// Waves of `tiles` over `sms`: whole waves, half of the emptiness of the last one hidden by tiles
/// that share an SM.
double waves(double tiles, double sms) {
  const double exact = tiles / sms;
  return exact <= 1.0 ? 1.0 : 0.5 * (exact + std::ceil(exact));
}

}  // namespace

std::optional<GemmShape> as_product(const OpShape& shape) {
  if (const auto* gemm = std::get_if<GemmShape>(&shape)) return *gemm;
  const auto* conv = std::get_if<ConvShape>(&shape);
  if (conv == nullptr || conv->groups < 1) return std::nullopt;
  const auto volume = [](const std::array<std::int64_t, 3>& e) { return e[0] * e[1] * e[2]; };
  const std::int64_t inputs = conv->c / conv->groups;
  const std::int64_t outputs = std::max<std::int64_t>(1, conv->k / conv->groups);
  const std::int64_t taps = volume(conv->filter);
  switch (conv->pass) {
    case ConvPass::kForward:
      return GemmShape{conv->groups, conv->n * volume(conv->out), outputs, inputs * taps};
    case ConvPass::kDataGradient:
      return GemmShape{conv->groups, conv->n * volume(conv->out), inputs * taps, outputs};
    case ConvPass::kWeightGradient:
      return GemmShape{conv->groups, inputs * taps, outputs, conv->n * volume(conv->out)};
  }
  return std::nullopt;
}

Seconds estimate_tiled(const GemmShape& product, Math math, FlopsPerSecond rate, double sms) {
  const auto b = static_cast<double>(product.b);
  const auto m = static_cast<double>(product.m);
  const auto n = static_cast<double>(product.n);
  const auto k = static_cast<double>(product.k);
  const double rate_per_sm = rate.value() / sms;
  double best = std::numeric_limits<double>::infinity();
  for (const Tile& tile : kTiles) {
    const double tiles = b * std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
    for (const double split : kSplits) {
      if (split > 1.0 && (k / split < 64.0 || tiles * split > 4.0 * sms)) break;
      const double steps = std::ceil(k / split) + pipeline_steps(math);
      const double one = 2.0 * tile.rows * tile.columns * steps / (rate_per_sm * tile.efficiency);
      best = std::min(best, one * waves(tiles * split, sms));
    }
  }
  return Seconds(best);
}

}  // namespace uplift::predict
