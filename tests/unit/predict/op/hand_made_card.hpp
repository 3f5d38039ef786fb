// SPDX-License-Identifier: Apache-2.0
// A card with round numbers, so that times can be worked out by hand.
#pragma once

#include "uplift/core/op.hpp"
#include "uplift/predict/op/op_card.hpp"

namespace uplift::predict {

inline OpCard hand_made_card() {
  OpCard card;
  card.generation = {8, 0};
  card.sms = 100;
  card.clock = 1e9;
  card.threads_per_sm = 2048;
  card.blocks_per_sm = 32;
  card.shared_bytes_per_sm = 164 * 1024;
  card.l2_bytes = 40e6;
  card.rate = 16e12;
  card.peak = 20e12;
  card.cuda_core_rate = 16e12;
  card.stream = 1e12;
  card.l2_bandwidth = 4e12;
  card.peer = 200e9;
  card.host_link = 20e9;
  card.floor = 2e-6;
  card.watts = 250;
  return card;
}

inline Op make_op(OpKind kind, OpShape shape, double element_bytes = 4) {
  Op op;
  op.kind = kind;
  op.math = element_bytes < 4 ? Math::kBf16 : Math::kFp32;
  op.element_bytes = op.out_element_bytes = element_bytes;
  op.shape = shape;
  return op;
}

}  // namespace uplift::predict
