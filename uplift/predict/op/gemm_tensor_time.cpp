// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/gemm_tensor_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace uplift::predict {
namespace {

using Key = ParameterKey<GemmTensorConstants>;

constexpr std::array kKeys = {
    Key{"wave_ampere", &GemmTensorConstants::wave_ampere, 0.05, 1.0},
    Key{"wave_hopper", &GemmTensorConstants::wave_hopper, 0.02, 1.0},
    Key{"exposed", &GemmTensorConstants::exposed, 0.02, 1.5},
    Key{"tile_half", &GemmTensorConstants::tile_half, 1.0, 200.0},
    Key{"fill_bytes", &GemmTensorConstants::fill_bytes, 10.0, 1200.0},
    Key{"write_reach", &GemmTensorConstants::write_reach, 0.3, 2.0},
    Key{"write_l2", &GemmTensorConstants::write_l2, 0.1, 1.0},
    Key{"split_cycles", &GemmTensorConstants::split_cycles, 3e2, 6e4},
    Key{"start_cycles", &GemmTensorConstants::start_cycles, 5e2, 2e4},
    Key{"joule_scale", &GemmTensorConstants::joule_scale, 0.05, 1.0},
    Key{"power_lag", &GemmTensorConstants::power_lag, 1e-4, 2e-2},
};

constexpr std::array kFp8Keys = [] {
  std::array<Key, kKeys.size() + 2> keys{};
  std::copy(kKeys.begin(), kKeys.end(), keys.begin());
  keys[kKeys.size()] = {"convert_cycles", &GemmTensorConstants::convert_cycles, 5e2, 3e4};
  keys[kKeys.size() + 1] = {"reread", &GemmTensorConstants::reread, 0.01, 1.0};
  return keys;
}();

struct Tile {
  int m_bits, n_bits;  ///< log2 of its extents
  double intensity;    ///< r s / (r + s)
  double loads;        ///< 1 / intensity
};

constexpr Tile tile(int m_bits, int n_bits) {
  const double m = static_cast<double>(1 << m_bits);
  const double n = static_cast<double>(1 << n_bits);
  return {m_bits, n_bits, m * n / (m + n), (m + n) / (m * n)};
}

/// Largest first: what library kernels offer in every generation.
constexpr std::array kTiles = {tile(8, 7), tile(7, 8), tile(7, 7), tile(7, 6),
                               tile(6, 7), tile(6, 6), tile(6, 5), tile(5, 6)};

/// What kernels of a format offer.
struct Kernels {
  std::span<const Tile> tiles;
  int splits;  ///< of k: 1, 2, 4, ..., as many
};

constexpr int kMostSplits = 6;
constexpr Kernels kAll = {kTiles, kMostSplits};
/// Kernels in FP8 with scales come in fewer sizes and split little.
constexpr Kernels kFp8 = {std::span(kTiles).subspan(2), 3};
constexpr double kLeastSplitBytes = 128;  ///< of k in a part
constexpr double kSplitLoad = 4;          ///< splitting stops at this many tiles an SM
constexpr double kStepBytes = 64;         ///< of k that a kernel loads at once
constexpr double kSumBytes = 8;           ///< an output and part: FP32 written and read again
constexpr double kFullLoad = 0.6;         ///< tiles an SM that saturate DRAM

constexpr int kColumnBits = 7;

/// std::ceil of what is not negative; inline on every x86-64.
double ceiling(double value) {
  if (value >= 9e15) return value;
  const double floor = static_cast<double>(static_cast<std::int64_t>(value));
  return floor < value ? floor + 1.0 : floor;
}

double tiles_along(std::int64_t extent, int bits) {
  return static_cast<double>(((extent - 1) >> bits) + 1);
}

/// Joules of a switched gate against a 4 or 5 nm process. TSMC states 30 % less power from 7 to
/// 5 nm at equal speed and about 65 % less from 16 (12 is its kin) to 7 nm.
double process(ComputeCapability generation) {
  if (generation.major < 8) return 4.0;
  return generation < ComputeCapability{8, 9} ? 1.43 : 1.0;
}

/// How much faster than at the data sheet's clock the tensor cores run at boost clock. They do a
/// power of two FLOPs a cycle, so the peak tells the clock it was stated for.
double boost(const OpCard& card) {
  if (card.peak <= 0) return 1.0;
  int exponent = 0;
  const double part = std::frexp(card.peak / (card.sms * card.clock), &exponent);  // 0.5 to 1
  return std::clamp((part < std::sqrt(0.5) ? 0.5 : 1.0) / part, 1.0, 1.15);
}

struct Parts {
  double work = 0;
  double compute = 0, memory = 0;
};

struct Traffic {
  double read = 0, write = 0;  ///< s
};

Parts fastest_tile(const GemmShape& shape, double bytes, double rate, const Traffic& traffic,
                   const Kernels& kernels, const OpCard& card,
                   const GemmTensorConstants& constants) {
  const double step = kStepBytes / bytes;
  std::array<double, kMostSplits> depths{};  // of k in a part, and what filling the pipeline takes
  int splits = 0;
  for (double part = static_cast<double>(shape.k); splits < kernels.splits; part *= 0.5) {
    if (splits > 0 && part * bytes < kLeastSplitBytes) break;
    depths[static_cast<std::size_t>(splits++)] =
        ceiling(part / step) * step + constants.fill_bytes / bytes;
  }
  const double b = static_cast<double>(shape.b);
  const double wait = card.generation.major >= 9 ? constants.wave_hopper : constants.wave_ampere;
  const double outputs = b * static_cast<double>(shape.m) * static_cast<double>(shape.n);
  const double sum = card.l2_bandwidth > 0 ? kSumBytes * outputs / card.l2_bandwidth : 0.0;
  const double moved = traffic.read + traffic.write;
  const double exposed = constants.exposed * traffic.write;
  const double largest = kTiles[0].intensity;
  const double unit = 2.0 * card.sms * largest / (rate * (largest + constants.tile_half));
  Parts best;
  best.work = std::numeric_limits<double>::infinity();
  for (const Tile& tile : kernels.tiles) {
    const double area = static_cast<double>(std::int64_t{1} << (tile.m_bits + tile.n_bits));
    const double seconds = unit * area * (1.0 + constants.tile_half * tile.loads);
    double load =
        b * tiles_along(shape.m, tile.m_bits) * tiles_along(shape.n, tile.n_bits) / card.sms;
    double extra = 0;
    for (int i = 0; i < splits; ++i, load *= 2) {
      if (i > 0) {
        extra = constants.split_cycles / card.clock + sum * static_cast<double>(1 << i);
        if (load > kSplitLoad || extra >= best.work) break;
      }
      const double waves = load <= 1 ? 1.0 : wait * ceiling(load) + (1.0 - wait) * load;
      const double busy = load < kFullLoad ? kFullLoad / load : 1.0;
      const double compute = waves * seconds * depths[static_cast<std::size_t>(i)];
      const double memory = moved * busy;
      const double rest = exposed * busy + extra;
      if (std::max(compute, memory) + rest >= best.work) continue;
      const double c2 = compute * compute;
      const double m2 = memory * memory;
      const double work = std::sqrt(std::sqrt(c2 * c2 + m2 * m2)) + rest;
      if (work < best.work) best = {work, compute, memory};
    }
  }
  return best;
}

/// The product with operands of `bytes` an element and outputs of `out_bytes`.
OpTime product_time(const GemmShape& shape, double bytes, double out_bytes, double energy,
                    double reread, const Kernels& kernels, const OpCard& card,
                    const GemmTensorConstants& constants) {
  const double b = static_cast<double>(shape.b);
  const double m = static_cast<double>(shape.m);
  const double n = static_cast<double>(shape.n);
  const double k = static_cast<double>(shape.k);
  const double written = out_bytes * b * m * n;
  const double over = written / (constants.write_reach * card.l2_bytes);
  const double kept = 1.0 / (1.0 + over * over);
  const double hits = std::max(card.stream, constants.write_l2 * card.l2_bandwidth);
  const Traffic traffic{(bytes * b * k * (m + n) + reread) / card.stream,
                        written * ((1.0 - kept) / card.stream + kept / hits)};

  const double faster = boost(card);
  const double rate = card.rate * faster;
  const Parts parts = fastest_tile(shape, bytes, rate, traffic, kernels, card, constants);
  double work = parts.work;
  if (card.watts > 0) {
    const double ghz = card.clock * 1e-9;
    const double busy = std::min(1.0, 2.0 * b * m * n * k / (work * rate));
    const double needed = constants.joule_scale * 1e-12 * energy * process(card.generation) *
                          card.peak * faster * ghz * ghz * busy;
    if (needed > card.watts) {
      work *= 1.0 + (std::cbrt(needed / card.watts) - 1.0) * work / (work + constants.power_lag);
    }
  }
  const double start = card.floor + constants.start_cycles / card.clock;
  OpTime time;
  time.seconds = start + work;
  time.l2_share = kept * written / (written + bytes * b * k * (m + n));
  time.bound = start > work                   ? Bound::kLaunch
               : parts.compute > parts.memory ? Bound::kCompute
                                              : Bound::kMemory;
  return time;
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<GemmShape>(&op.shape);
  if (shape == nullptr) return {};
  // Work and traffic tell the regime; the sides tell which tiles fit.
  const double b = static_cast<double>(shape->b);
  const double m = static_cast<double>(shape->m);
  const double n = static_cast<double>(shape->n);
  const double k = static_cast<double>(shape->k);
  return {std::log(b * m * n * k), std::log(b * (m * n + m * k + n * k)), 0.3 * std::log(m),
          0.3 * std::log(n)};
}

}  // namespace

OpTime estimate_gemm_tensor(const Op& op, const OpCard& card,
                            const GemmTensorConstants& constants) {
  const auto* shape = std::get_if<GemmShape>(&op.shape);
  if (shape == nullptr) return {card.floor, 0.0, Bound::kLaunch};
  return product_time(*shape, op.element_bytes, op.out_element_bytes, storage_bytes(op.math) / 2.0,
                      0.0, kAll, card, constants);
}

OpTime estimate_gemm_fp8(const Op& op, const OpCard& card, const GemmTensorConstants& constants) {
  const auto* shape = std::get_if<GemmShape>(&op.shape);
  if (shape == nullptr) return {card.floor, 0.0, Bound::kLaunch};
  constexpr double kOutputBytes = 2.0;
  const double elements =
      static_cast<double>(shape->b) * static_cast<double>(shape->m) * static_cast<double>(shape->k);
  // What the first pass has read in 16 bits is there for the second, as far as L2 holds it.
  const double over = 2.0 * elements / (constants.write_reach * card.l2_bytes);
  const double kept = 1.0 / (1.0 + over * over);
  const double hits = std::max(card.stream, constants.write_l2 * card.l2_bandwidth);
  constexpr double kFirst = 2.0;  // read for the scale
  constexpr double kAgain = 3.0;  // read once more, written in 8 bits
  const double bytes = kFirst / card.stream + kAgain * ((1.0 - kept) / card.stream + kept / hits);

  // One tile column after the other: an A that L2 cannot hold is read again for each.
  const double lost = elements / (constants.write_reach * card.l2_bytes);
  const double columns = tiles_along(shape->n, kColumnBits) - 1.0;
  const double reread = constants.reread * columns * elements * (1.0 - 1.0 / (1.0 + lost * lost));
  OpTime time = product_time(*shape, 1.0, kOutputBytes, 0.5, reread, kFp8, card, constants);
  time.seconds += constants.convert_cycles / card.clock + elements * bytes;
  return time;
}

const OpFamily& gemm_tensor_family() {
  static const FamilyOf<GemmTensorConstants, kKeys.size()> kFamily("gemm_tensor", kKeys,
                                                                   estimate_gemm_tensor, describe);
  return kFamily;
}

const OpFamily& gemm_fp8_family() {
  static const FamilyOf<GemmTensorConstants, kFp8Keys.size()> kFamily("gemm_fp8", kFp8Keys,
                                                                      estimate_gemm_fp8, describe);
  return kFamily;
}

}  // namespace uplift::predict
