// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/attention_time.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<AttentionConstants>;

constexpr std::array kPrefillKeys = {
    Key{"tensor", &AttentionConstants::tensor, 0.4, 1.2},
    Key{"softmax", &AttentionConstants::softmax, 0.05, 2.0},
    Key{"stream", &AttentionConstants::stream, 0.8, 1.05},
    Key{"call", &AttentionConstants::call, 1e3, 4e4},
    Key{"sequence", &AttentionConstants::sequence, 1.0, 300.0},
    Key{"tile", &AttentionConstants::tile, 2e-7, 1e-5},
    Key{"tail", &AttentionConstants::tail, 0.05, 2.0},
    Key{"alone", &AttentionConstants::alone, 0.3, 1.5},
    Key{"split", &AttentionConstants::split, 0.8, 2.5},
    Key{"combine", &AttentionConstants::combine, 5e2, 4e4},
    Key{"overlap", &AttentionConstants::overlap, 1.0, 8.0},
    Key{"backward", &AttentionConstants::backward, 0.4, 1.2},
};

/// One query says nothing of the arithmetic that prefill does not say better.
constexpr std::array kDecodeKeys = {
    Key{"stream", &AttentionConstants::stream, 0.8, 1.05},
    Key{"call", &AttentionConstants::call, 1e3, 4e4},
    Key{"sequence", &AttentionConstants::sequence, 1.0, 300.0},
    Key{"tile", &AttentionConstants::tile, 2e-7, 1e-5},
    Key{"combine", &AttentionConstants::combine, 5e2, 4e4},
};

constexpr std::int64_t kMostDecoded = 8;  ///< queries a sequence: one, or a few guessed ahead

/// Extents as numbers; none is below 1.
struct Extents {
  double b, q_heads, kv_heads, q, kv, d;
};

Extents extents_of(const AttentionShape& shape) {
  const auto at_least_one = [](std::int64_t value) {
    return static_cast<double>(std::max<std::int64_t>(1, value));
  };
  const double q_heads = at_least_one(shape.q_heads);
  return {at_least_one(shape.b),
          q_heads,
          std::min(q_heads, at_least_one(shape.kv_heads)),
          at_least_one(shape.q_len),
          at_least_one(shape.kv_len),
          at_least_one(shape.d)};
}

/// How the library cuts one call into thread blocks.
struct Tiling {
  double rows = 128, keys = 64;  ///< of a tile
  double tiles = 1;              ///< in all, before keys are split
  double pieces = 1;             ///< of each tile's keys
  double mean = 1, longest = 1;  ///< key blocks that a piece walks over
  bool split = false;            ///< the kernel that can split runs
};

/// Pieces that fill at least 0.83 of the slots of their last wave (the rule asks for 0.85 of the
/// best share, which is close to 1), tried from few waves to many.
double most_pieces(double tiles, double slots) {
  for (double waves = 1.0; waves <= 4.0; waves += 1.0) {
    const double pieces = std::ceil(0.83 * waves * slots / tiles);
    if (pieces * tiles <= waves * slots) return pieces;
  }
  return 1.0;
}

Tiling tile_attention(const Extents& e, bool causal, const OpCard& card) {
  const bool hopper = card.generation.major >= 9;
  const double packed = e.q * e.q_heads / e.kv_heads;
  Tiling t;
  t.rows = hopper && packed <= 64.0 ? 64.0 : 128.0;
  t.keys = hopper ? 128.0 : 64.0;
  const double per_sequence = e.kv_heads * std::ceil(packed / t.rows);
  t.tiles = e.b * per_sequence;
  // The rule pretends that there is one sequence, since lengths may differ.
  t.split = per_sequence < 0.8 * card.sms && e.kv > 4.0 * t.keys;
  if (t.split && !hopper) t.keys = 112.0;
  const double blocks = std::ceil(e.kv / t.keys);
  if (t.split) {
    const double most = most_pieces(per_sequence, card.sms);
    const double per_sm = std::ceil(1.1 * t.tiles * blocks / card.sms);
    t.pieces = std::min(most, std::ceil(blocks / per_sm));
  }
  double walked = blocks;
  if (causal) {
    const double step = std::min(e.q, t.rows * e.q / packed);  // queries of a tile
    const double seen = std::max(0.0, e.kv - e.q) + 0.5 * (std::min(e.q, e.kv) + step);
    walked = std::min(blocks, seen / t.keys + 0.5);
  }
  t.mean = walked / t.pieces;
  t.longest = std::ceil(blocks / t.pieces);
  return t;
}

/// sum of a and b of which the smaller is partly hidden.
double overlapped(double a, double b, double exponent) {
  const double large = std::max(a, b);
  if (large <= 0) return 0;
  return large * std::pow(1.0 + std::pow(std::min(a, b) / large, exponent), 1.0 / exponent);
}

/// Seconds in which the tiles of a call run on all SMs.
double tiles_seconds(const Tiling& t, double d, bool backward, const OpCard& card,
                     const AttentionConstants& c) {
  const double sm_rate = card.rate / card.sms;
  const double work = (backward ? 2.5 / c.backward : 1.0) * (t.split ? c.split : 1.0);
  const double pairs = t.rows * t.keys * work;
  const double exponentials = c.softmax / (16.0 * card.clock);
  const double block = pairs * (4.0 * d / (c.tensor * sm_rate) + exponentials);
  const bool shared = card.generation.major < 9 && !t.split;  // two tiles an SM
  const double block_alone =
      shared ? pairs * (4.0 * d / (c.alone * sm_rate) + exponentials) : block;
  const double ends = c.tile * (0.5 + 0.5 * 1.5e9 / card.clock);
  const double waves = t.tiles * t.pieces / card.sms;
  // Unequal tiles are handed out longest first and even out; equal ones come in whole waves.
  const double shortest = std::max(0.0, 2.0 * t.mean - t.longest);
  double load = waves * t.mean;
  if (waves > 1.0) load += (std::ceil(waves) - waves) * shortest;
  if (shared && waves > 1.0) {
    load += c.tail * (t.longest - shortest) * (1.0 - 1.0 / waves);
  }
  return std::max(block * load + ends * waves, block_alone * t.longest + ends);
}

Features describe_prefill(const Op& op) {
  const auto* shape = std::get_if<AttentionShape>(&op.shape);
  if (shape == nullptr) return {};
  const Extents e = extents_of(*shape);
  return {std::log(e.q),
          0.5 * std::log(e.b * e.q_heads),
          0.4 * std::log(e.q_heads / e.kv_heads),
          0.5 * std::log(e.kv / e.q),
          std::log(e.d),
          shape->backward ? 3.0 : 0.0};
}

Features describe_decode(const Op& op) {
  const auto* shape = std::get_if<AttentionShape>(&op.shape);
  if (shape == nullptr) return {};
  const Extents e = extents_of(*shape);
  return {0.5 * std::log(e.kv), 0.5 * std::log(e.b * e.kv_heads),
          0.2 * std::log(e.q * e.q_heads / e.kv_heads), 0.3 * std::log(e.b), std::log(e.d)};
}

}  // namespace

OpTime estimate_attention(const Op& op, const OpCard& card, const AttentionConstants& constants) {
  OpTime time;
  time.seconds = card.floor;
  const auto* shape = std::get_if<AttentionShape>(&op.shape);
  if (shape == nullptr || card.rate <= 0 || card.stream <= 0) return time;
  const Extents e = extents_of(*shape);
  const double cycle = 1.0 / card.clock;
  const double stream = constants.stream * card.stream;
  const Tiling tiling = tile_attention(e, shape->causal, card);
  const double arithmetic = tiles_seconds(tiling, e.d, shape->backward, card, constants);
  const double queries = e.b * e.q * e.q_heads * e.d;
  const double cached = e.b * e.kv * e.kv_heads * e.d;
  const double appended = e.b * std::min(e.q, e.kv) * e.kv_heads * e.d;
  double traffic = op.element_bytes * (2.0 * queries + 2.0 * cached + constants.append * appended);
  if (shape->backward) {
    // Read Q, K, V, O and dO, write dK and dV; dQ gathers in FP32.
    traffic = op.element_bytes * (4.0 * queries + 4.0 * cached) + 8.0 * queries;
  }
  const double memory = traffic / stream;
  double extra = cycle * (constants.call + constants.sequence * e.b);
  if (tiling.split) {
    extra += cycle * constants.combine;
    // Parts in FP32, written and read again; Hopper's kernel writes a whole tile directly.
    const bool direct = card.generation.major >= 9 && tiling.pieces <= 1.0;
    if (!direct) extra += 8.0 * queries * tiling.pieces / stream;
  }
  time.seconds += extra + overlapped(arithmetic, memory, constants.overlap);
  time.bound = extra > std::max(arithmetic, memory) ? Bound::kLaunch
               : arithmetic > memory                ? Bound::kCompute
                                                    : Bound::kMemory;
  return time;
}

const OpFamily& attention_prefill_family() {
  static const FamilyOf<AttentionConstants, kPrefillKeys.size()> kFamily(
      "attention_prefill", kPrefillKeys, estimate_attention, describe_prefill);
  return kFamily;
}

const OpFamily& attention_decode_family() {
  static const FamilyOf<AttentionConstants, kDecodeKeys.size()> kFamily(
      "attention_decode", kDecodeKeys, estimate_attention, describe_decode);
  return kFamily;
}

const OpFamily& attention_family(const Op& op) {
  const auto* shape = std::get_if<AttentionShape>(&op.shape);
  const bool decodes = shape != nullptr && !shape->backward && shape->q_len <= kMostDecoded &&
                       shape->q_len < shape->kv_len;
  return decodes ? attention_decode_family() : attention_prefill_family();
}

}  // namespace uplift::predict
