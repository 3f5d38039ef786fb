// SPDX-License-Identifier: Apache-2.0
// What holds for every formula of a memory-bound operation, whatever its constants.
#include "tests/unit/predict/op/hand_made_card.hpp"
#include "uplift/predict/op/families.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace uplift::predict {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 40;

std::vector<Op> operations() {
  std::vector<Op> ops;
  for (const double bytes : {1.0, 2.0, 4.0, 8.0}) {
    for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{777}, kHuge}) {
      const double count = static_cast<double>(rows);
      for (const std::int64_t cols :
           {std::int64_t{1}, std::int64_t{1024}, std::int64_t{1027}, std::int64_t{8192}, kHuge}) {
        for (const auto kind :
             {OpKind::kSoftmax, OpKind::kLayerNorm, OpKind::kReduce, OpKind::kEmbedding}) {
          ops.push_back(make_op(kind, RowsShape{rows, cols, false}, bytes));
          ops.push_back(make_op(kind, RowsShape{rows, cols, true}, bytes));
        }
      }
      ops.push_back(
          make_op(OpKind::kElementwise, ElementwiseShape{rows, 1, 1, ElementwiseOp::kPow}, bytes));
      ops.push_back(make_op(OpKind::kFft, FftShape{rows, {8, 1 << 14, 3}}, bytes));
      ops.push_back(make_op(OpKind::kSpmv, SpmvShape{rows, 10 * rows}, bytes));
      ops.push_back(make_op(OpKind::kStencil, StencilShape{rows, 3}, bytes));
      for (const auto direction : {CopyDirection::kHostToDevice, CopyDirection::kDeviceToDevice})
        ops.push_back(make_op(OpKind::kMemcpy, CopyShape{rows, direction}, bytes));
      ops.push_back(
          make_op(OpKind::kKernel, KernelShape{1e3 * count, count, rows, 1024, 255, 200 * 1024}));
      ops.push_back(make_op(OpKind::kKernel, KernelShape{count, 0, 0, 0, 0, 0}));
    }
  }
  return ops;
}

const OpFamily* family_of(const Op& op) {
  for (const auto* family : op_families()) {
    if (family->name() == word(op.kind)) return family;
  }
  return nullptr;
}

double seconds(const Op& op, const OpCard& card) {
  const OpFamily* family = family_of(op);
  std::vector<double> values;
  for (const auto& parameter : family->parameters()) values.push_back(parameter.start);
  return family->estimate(op, card, values).seconds;
}

TEST(MemoryBoundLaws, EveryShapeTakesAFiniteTimeOnEveryCard) {
  OpCard bare;  // nothing known but a rate of memory
  bare.stream = 1e9;
  for (const Op& op : operations()) {
    for (const OpCard& card : {hand_made_card(), bare}) {
      const double time = seconds(op, card);
      EXPECT_TRUE(std::isfinite(time)) << word(op.kind) << ' ' << render_shape(op.shape);
      EXPECT_GE(time, 0) << word(op.kind) << ' ' << render_shape(op.shape);
    }
    for (const double feature : family_of(op)->features(op)) EXPECT_TRUE(std::isfinite(feature));
  }
}

TEST(MemoryBoundLaws, ABetterCardIsNeverSlower) {
  const auto better = {&OpCard::stream,       &OpCard::clock,     &OpCard::l2_bytes,
                       &OpCard::l2_bandwidth, &OpCard::host_link, &OpCard::cuda_core_rate,
                       &OpCard::rate};
  for (const Op& op : operations()) {
    const double before = seconds(op, hand_made_card());
    for (const auto member : better) {
      OpCard card = hand_made_card();
      card.*member *= 1.5;
      EXPECT_LE(seconds(op, card), before * (1 + 1e-12))
          << word(op.kind) << ' ' << render_shape(op.shape);
    }
    OpCard larger = hand_made_card();  // more SMs need more L2 for the rows that they work on
    larger.sms *= 1.5;
    larger.l2_bytes *= 1.5;
    larger.rate *= 1.5;
    larger.cuda_core_rate *= 1.5;
    EXPECT_LE(seconds(op, larger), before * (1 + 1e-12))
        << word(op.kind) << ' ' << render_shape(op.shape);
  }
}

}  // namespace
}  // namespace uplift::predict
