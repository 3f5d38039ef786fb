// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/gemm_time.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<ProductConstants>;
using BatchedKey = ParameterKey<BatchedProductConstants>;

constexpr std::array kKeys = {
    Key{"tile_loss", &ProductConstants::tile_loss, 0.01, 1.0},
    Key{"fill_steps", &ProductConstants::fill_steps, 2.0, 100.0},
    Key{"warps", &ProductConstants::warps, 1.0, 20.0},
    Key{"drift", &ProductConstants::drift, -9.0, 1.0},
    Key{"reach_kb", &ProductConstants::reach_kb, 10.0, 1e5},
    Key{"reach_slope", &ProductConstants::reach_slope, 0.1, 2.0},
    Key{"strided_early", &ProductConstants::strided_early, 0.5, 10.0},
    Key{"dram", &ProductConstants::dram, 0.5, 4.0},
    Key{"l2", &ProductConstants::l2, 0.05, 10.0},
    Key{"boost", &ProductConstants::boost, 0.02, 1.5},
    Key{"boost_share", &ProductConstants::boost_share, 0.5, 1.1},
    Key{"boost_ms", &ProductConstants::boost_ms, 0.1, 20.0},
};

constexpr std::array kBatchedKeys = {
    BatchedKey{"tile_loss", &ProductConstants::tile_loss, 0.01, 1.0},
    BatchedKey{"fill_steps", &ProductConstants::fill_steps, 2.0, 100.0},
    BatchedKey{"warps", &ProductConstants::warps, 1.0, 20.0},
    BatchedKey{"strided", &ProductConstants::strided, 0.5, 10.0},
    BatchedKey{"dram", &ProductConstants::dram, 0.5, 4.0},
    BatchedKey{"l2", &ProductConstants::l2, 0.05, 10.0},
    BatchedKey{"overlap", &ProductConstants::overlap, 1.0, 8.0},
    BatchedKey{"boost", &ProductConstants::boost, 0.02, 1.5},
    BatchedKey{"boost_share", &ProductConstants::boost_share, 0.5, 1.1},
    BatchedKey{"boost_ms", &ProductConstants::boost_ms, 0.1, 20.0},
};

/// What the blocks that run at one time read from DRAM and from L2, B.
struct Traffic {
  double dram = 0;
  double l2 = 0;
};

Traffic count_traffic(const Product& p, const Tiling& t, const OpCard& card, double bytes,
                      const ProductConstants& c) {
  const bool transposed = p.layout == Layout::kTransposed;
  const double columns = p.n / t.across;  // on average: loads beyond an edge are left out
  const double rows = p.m / t.down;
  const double along_k =
      c.strided * (card.generation.major < 7 && transposed ? c.strided_early : 1.0);
  const double second = transposed ? along_k : 1.0;  // operand B, shared by blocks along m
  const double l2 = std::max(1.0, card.l2_bytes);
  const double blocks = t.blocks(p.b);
  const double running = std::min(blocks, card.sms * t.resident);
  const double across = std::min(running, t.across);
  const double down = std::min(std::ceil(running / t.across), t.down);
  const double products = std::max(1.0, running / (t.across * t.down));
  const double operands =
      products * (std::min(across * t.columns, p.n) + std::min(down * t.rows, p.m));

  Traffic traffic;
  traffic.l2 = bytes * blocks * t.steps * (columns + rows);
  // Blocks of the first wave start together and share what they read; later ones run at other
  // places of the contraction, and an operand waits in L2 only if what the wave reads fits.
  const double later = 1.0 - running / blocks;
  double apart = 0;
  double down_share = down;
  double across_share = across;
  if (later > 0 && c.drift_across > 0) {
    apart =
        std::sqrt(std::sqrt(later)) /
        (1.0 + std::exp(-(c.drift + c.drift_slope * std::log(bytes * t.steps * operands / l2))));
    down_share = std::pow(down, 1.0 - apart);
    across_share = std::pow(across, 1.0 - c.drift_across * apart);
  }
  const double once = bytes * p.b * p.k * (along_k * p.m + second * p.n);
  const double read =
      bytes * blocks * t.steps * (second * columns / down_share + along_k * rows / across_share);
  const double held = c.held * l2 * t.splits / (bytes * p.k * p.n);
  const double missed = std::max(apart, 1.0 / (1.0 + held * held));
  traffic.dram = once + std::max(0.0, read - once) * missed;
  return traffic;
}

double soft_maximum(double a, double b, double exponent) {
  const double larger = std::max(a, b);
  if (larger <= 0) return 0;
  return larger * std::pow(1.0 + std::pow(std::min(a, b) / larger, exponent), 1.0 / exponent);
}

OpTime estimate_transposed(const Op& op, const OpCard& card, const ProductConstants& constants) {
  return estimate_product(op, card, constants, Layout::kTransposed);
}

OpTime estimate_batched(const Op& op, const OpCard& card,
                        const BatchedProductConstants& constants) {
  return estimate_product(op, card, constants, Layout::kPlain);
}

struct LogExtents {
  double b = 0, m = 0, n = 0, k = 0;
};

LogExtents log_extents(const Op& op) {
  const auto* shape = std::get_if<GemmShape>(&op.shape);
  if (shape == nullptr) return {};
  const auto ln = [](std::int64_t extent) {
    return std::log(std::max(1.0, static_cast<double>(extent)));
  };
  return {ln(shape->b), ln(shape->m), ln(shape->n), ln(shape->k)};
}

/// Long contractions lose locality; the form of the output matters less than its size.
Features describe_single(const Op& op) {
  const auto [b, m, n, k] = log_extents(op);
  return {0.3 * (m + n), 0.15 * (m - n), k, 0.5 * b};
}

/// The work tells how long a call runs, which is what a power limit goes by.
Features describe_batched(const Op& op) {
  const auto [b, m, n, k] = log_extents(op);
  return {0.35 * (b + m + n + k), 0.5 * k, 0.3 * m, 0.3 * n};
}

}  // namespace

BatchedProductConstants::BatchedProductConstants() {
  tile_loss = 0.35;
  fill_steps = 13;
  warps = 7;
  held = 1.0;
  drift_across = 0;
  strided = 1.7;
  strided_early = 1.0;
  dram = 0.95;
  l2 = 0.55;
  overlap = 5;
  boost = 0.7;
  boost_share = 0.9;
  boost_ms = 2.2;
}

OpTime estimate_product(const Op& op, const OpCard& card, const ProductConstants& constants,
                        Layout layout) {
  OpTime time;
  time.seconds = card.floor;
  const auto* shape = std::get_if<GemmShape>(&op.shape);
  if (shape == nullptr) return time;
  const auto extent = [](std::int64_t value) { return std::max(1.0, static_cast<double>(value)); };
  const Product p{extent(shape->b), extent(shape->m), extent(shape->n), extent(shape->k), layout};
  const Tiling t = choose_tiling(p, card);
  const double loss = 1.0 + constants.tile_loss * 0.5 * (128.0 / t.columns + 128.0 / t.rows - 2.0);
  const double arithmetic = 2.0 * t.columns * t.rows * (t.steps + constants.fill_steps) * loss *
                            card.sms / card.rate * count_rounds(t, p.b, card, constants.warps);

  const Traffic traffic = count_traffic(p, t, card, op.element_bytes, constants);
  const double locality =
      1.0 + std::pow(op.element_bytes * p.k / (constants.reach_kb * 1e3), constants.reach_slope);
  const double written =
      op.out_element_bytes * p.b * p.m * p.n * (t.splits > 1 ? 2.0 * t.splits + 1.0 : 1.0);
  const double dram = (traffic.dram * locality + written) / (constants.dram * card.stream);
  const double l2 = traffic.l2 / (constants.l2 * card.sms * 64.0 * card.clock);

  const double memory = soft_maximum(dram, l2, constants.overlap);
  double work = soft_maximum(arithmetic, memory, constants.overlap);
  // A card whose power limit is below its peak runs short calls faster than it sustains.
  const double headroom =
      std::clamp(constants.boost_share * card.peak / card.rate, 1.0, 1.0 + constants.boost);
  if (headroom > 1.0) {
    const double length = work / (constants.boost_ms * 1e-3);
    const double faster = 1.0 + (headroom - 1.0) / (1.0 + length * length);
    work = soft_maximum(arithmetic / faster, memory, constants.overlap);
  }
  time.seconds += work;
  time.l2_share = traffic.l2 > 0 ? std::clamp(1.0 - traffic.dram / traffic.l2, 0.0, 1.0) : 0.0;
  time.bound = work < card.floor                  ? Bound::kLaunch
               : arithmetic >= std::max(dram, l2) ? Bound::kCompute
               : dram >= l2                       ? Bound::kMemory
                                                  : Bound::kCache;
  return time;
}

const OpFamily& gemm_fp32_family() {
  static const FamilyOf<ProductConstants, kKeys.size()> kFamily(
      "gemm_fp32", kKeys, estimate_transposed, describe_single);
  return kFamily;
}

const OpFamily& gemm_batched_fp32_family() {
  static const FamilyOf<BatchedProductConstants, kBatchedKeys.size()> kFamily(
      "gemm_batched_fp32", kBatchedKeys, estimate_batched, describe_batched);
  return kFamily;
}

}  // namespace uplift::predict
