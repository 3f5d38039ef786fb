// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/collective_time.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::predict {
namespace {

using Key = ParameterKey<CollectiveConstants>;

constexpr std::array kKeys = {
    Key{"link", &CollectiveConstants::link, 0.5, 1.2},
    Key{"low_latency", &CollectiveConstants::low_latency, 0.4, 1.5},
    Key{"start", &CollectiveConstants::start, 1e5, 1e7},
    Key{"step", &CollectiveConstants::step, 1e4, 1e6},
    Key{"bulk_start", &CollectiveConstants::bulk_start, 5e5, 5e7},
    Key{"in_switch", &CollectiveConstants::in_switch, 0.5, 1.0},
};

constexpr double kLeastRate = 1e6;        // B/s: keeps cards without a link number finite
constexpr double kReferenceRate = 240e9;  // B/s: twelve links of 20 GB/s

/// Bytes that a GPU sends and steps of a ring, over the links of one kind.
struct Traffic {
  double bytes = 0;
  double steps = 1;
};

Traffic traffic_of(OpKind kind, double bytes, double ranks) {
  const double others = ranks - 1.0;
  if (kind == OpKind::kAllReduce) return {2.0 * bytes * others / ranks, 2.0 * others};
  if (kind == OpKind::kSendRecv) return {bytes, 1.0};
  // To all peers at once; the others pass on what arrives.
  return {bytes * others / ranks, kind == OpKind::kAllToAll ? 1.0 : others};
}

/// What NCCL takes an NVLink to carry, of its 25 GB/s (50 on Blackwell) one way: 20.0, 20.6 and
/// 40.1 GB/s (src/graph/topo.h, NVLINK_BW).
double carried_share(const OpCard& card) {
  if (card.generation.major == 9) return 20.6 / 25.0;
  return card.generation.major >= 10 ? 40.1 / 50.0 : 20.0 / 25.0;
}

bool is_nvlink(const OpCard& card) { return card.peer > 1.5 * card.host_link; }

/// Most that low-latency lines carry within a node, B/s: 39.0, 87.7, 141 and 282 GB/s (NCCL
/// src/graph/tuning.cc, llMaxBws).
double low_latency_rate(const OpCard& card) {
  switch (card.generation.major) {
    case 8:
      return 87.7e9;
    case 9:
      return 141e9;
    default:
      return card.generation.major >= 10 ? 282e9 : 39e9;
  }
}

bool switch_adds(const Op& op, const OpCard& card) {
  const bool floating = op.math != Math::kInt8 && op.math != Math::kInt4 && op.math != Math::kFp8;
  return op.kind == OpKind::kAllReduce && floating && card.generation.major >= 9 && is_nvlink(card);
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<CollectiveShape>(&op.shape);
  if (shape == nullptr) return {};
  return {0.5 * std::log(1.0 + static_cast<double>(shape->bytes)),
          std::log(static_cast<double>(std::max<std::int64_t>(1, shape->ranks))),
          op.kind == OpKind::kAllReduce ? 1.0 : 0.0, op.kind == OpKind::kAllToAll ? 1.0 : 0.0};
}

}  // namespace

OpTime estimate_collective(const Op& op, const OpCard& card, const CollectiveConstants& constants) {
  OpTime time;
  time.bound = Bound::kComm;
  time.seconds = card.floor;
  const auto* shape = std::get_if<CollectiveShape>(&op.shape);
  if (shape == nullptr || shape->ranks < 2) return time;
  const double bytes = static_cast<double>(std::max<std::int64_t>(0, shape->bytes));
  const double ranks = static_cast<double>(shape->ranks);
  const double nodes = std::clamp(static_cast<double>(shape->nodes), 1.0, ranks);
  const double rate = std::max(kLeastRate, carried_share(card) * card.peer);  // as NCCL takes it
  const double link = constants.link * rate;
  // A message long enough for half the rate is the software's (Hockney's n1/2), so NVLinks shorten
  // latencies as they grow; those over PCIe are as long as over the NVLinks of an A100.
  const double latency = 1.0 / (is_nvlink(card) ? rate : kReferenceRate);

  const Traffic traffic = traffic_of(op.kind, bytes, ranks);
  double wire = traffic.bytes / link;
  if (nodes > 1.0) {
    // A ring enters and leaves a node once, over as many adapters as the node has GPUs; what an
    // all-to-all or a send moves to other nodes goes through each GPU's own adapter.
    const double local = ranks / nodes;
    const double adapter = std::max(kLeastRate, constants.link * card.host_link);
    const bool ring = op.kind != OpKind::kAllToAll && op.kind != OpKind::kSendRecv;
    const double outside = op.kind == OpKind::kAllToAll ? bytes * (ranks - local) / ranks
                                                        : traffic.bytes / (ring ? local : 1.0);
    wire = std::max(wire, outside / adapter);
  }
  const double start = latency * constants.start;
  const double steps = latency * constants.step * traffic.steps;
  const double bulk_start = latency * constants.bulk_start;
  const double low_rate = std::min(constants.low_latency * low_latency_rate(card), 0.5 * link);
  double best = std::min(steps + wire * link / low_rate, bulk_start + steps + wire);
  if (nodes <= 1.0 && switch_adds(op, card)) {
    // Each GPU sends its buffer once, and once more its share of the sums.
    best = std::min(best, bulk_start + bytes * (1.0 + 1.0 / ranks) / (constants.in_switch * link));
  }
  time.seconds += start + best;
  return time;
}

const OpFamily& collective_family() {
  static const FamilyOf<CollectiveConstants, kKeys.size()> kFamily(
      "collective", kKeys, estimate_collective, describe, 0.9);
  return kFamily;
}

}  // namespace uplift::predict
