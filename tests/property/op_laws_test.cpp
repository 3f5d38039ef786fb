// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every operation of an op table, on any card and with any constants that a fit
// may find.
#include "tests/property/random_workload.hpp"
#include "uplift/predict/op/families.hpp"
#include "uplift/predict/op/op_predictor.hpp"

#include <optional>

namespace uplift::property {
namespace {

using predict::OpCard;
using predict::OpFamily;

/// 1 up to 2^most, on a logarithmic scale; often a power of two, or 1 away from one.
std::int64_t draw_long(int most) {
  const auto power =
      static_cast<std::int64_t>(std::exp2(*rc::gen::inRange(0, 100 * most + 1) / 100.0));
  if (*rc::gen::arbitrary<bool>()) return power;
  const std::int64_t round = std::int64_t{1} << *rc::gen::inRange(0, most + 1);
  return std::max<std::int64_t>(1, round - *rc::gen::element(-1, 0, 1) * (round > 2 ? 1 : 0));
}

ConvShape draw_conv(int most, bool three) {
  ConvShape shape;
  shape.n = draw_long(most);
  shape.groups = *rc::gen::element<std::int64_t>(1, 1, 2, 32);
  shape.c = shape.groups * draw_long(most);
  shape.k = shape.groups * draw_long(most);
  for (std::size_t i = three ? 0 : 1; i < 3; ++i) {
    shape.filter[i] = *rc::gen::element<std::int64_t>(1, 3, 5, 7);
    shape.stride[i] = *rc::gen::element<std::int64_t>(1, 2);
    shape.spatial[i] = shape.filter[i] + draw_long(most);
    shape.out[i] = (shape.spatial[i] - shape.filter[i]) / shape.stride[i] + 1;
  }
  shape.pass =
      *rc::gen::element(ConvPass::kForward, ConvPass::kDataGradient, ConvPass::kWeightGradient);
  return shape;
}

OpShape draw_op_shape(OpKind kind, int most) {
  const auto extent = [&] { return draw_long(most); };
  switch (kind) {
    case OpKind::kGemm:
      return GemmShape{*rc::gen::element<std::int64_t>(1, 1, extent()), extent(), extent(),
                       extent(),
                       *rc::gen::element(GemmLayout::kUnknown, GemmLayout::kNN, GemmLayout::kNT,
                                         GemmLayout::kTN, GemmLayout::kTT)};
    case OpKind::kConv2d:
    case OpKind::kConv3d:
      return draw_conv(most, kind == OpKind::kConv3d);
    case OpKind::kAttention: {
      const std::int64_t queries = *rc::gen::element<std::int64_t>(1, 8, extent());
      const std::int64_t heads = 1 + extent() % 128;
      return AttentionShape{extent(),
                            heads * (1 + extent() % 8),
                            heads,
                            queries,
                            *rc::gen::element(queries, extent()),
                            1 + extent() % 512,
                            *rc::gen::arbitrary<bool>(),
                            *rc::gen::arbitrary<bool>()};
    }
    case OpKind::kSoftmax:
    case OpKind::kLayerNorm:
    case OpKind::kReduce:
    case OpKind::kEmbedding:
      return RowsShape{extent(), extent(), *rc::gen::arbitrary<bool>()};
    case OpKind::kElementwise:
      return ElementwiseShape{extent(), *rc::gen::inRange(0, 5), *rc::gen::inRange(1, 4),
                              static_cast<ElementwiseOp>(*rc::gen::inRange(0, 9))};
    case OpKind::kFft:
      return FftShape{extent(), {extent(), extent(), extent()}};
    case OpKind::kSpmv:
      return SpmvShape{extent(), extent()};
    case OpKind::kStencil:
      return StencilShape{extent(), extent()};
    case OpKind::kMemcpy:
      return CopyShape{extent(),
                       *rc::gen::element(CopyDirection::kHostToDevice, CopyDirection::kDeviceToHost,
                                         CopyDirection::kDeviceToDevice)};
    case OpKind::kAllReduce:
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
    case OpKind::kAllToAll:
    case OpKind::kSendRecv: {
      const std::int64_t nodes = *rc::gen::element<std::int64_t>(1, 1, 2, 64);
      return CollectiveShape{extent(), nodes * (1 + extent() % 16), nodes};
    }
    case OpKind::kKernel:
      return KernelShape{static_cast<double>(extent()),
                         static_cast<double>(extent()),
                         *rc::gen::element<std::int64_t>(0, extent()),
                         *rc::gen::element<std::int64_t>(0, 32, 1024),
                         *rc::gen::element<std::int64_t>(0, 255),
                         *rc::gen::element<std::int64_t>(0, 200'000)};
  }
  return {};
}

/// Of any kind and format, with extents up to 2^most.
Op draw_op(int most) {
  Op op;
  op.kind = static_cast<OpKind>(*rc::gen::inRange<std::size_t>(0, kOpKindWords.size()));
  op.math = *rc::gen::elementOf(kMaths);
  op.element_bytes = storage_bytes(op.math);
  op.out_element_bytes = *rc::gen::element(op.element_bytes, 2.0, 4.0);
  op.shape = draw_op_shape(op.kind, most);
  return op;
}

constexpr int kUsual = 14;  // products of three extents stay below days
constexpr int kExtreme = 40;

/// The constants that ship, or any of those that a fit may find.
std::vector<double> draw_constants(const OpFamily& family) {
  if (*rc::gen::arbitrary<bool>()) {
    return predict::OpConstants::built_in().of(family).knowledge.constants;
  }
  std::vector<double> values;
  for (const auto& range : family.parameters()) {
    const double share = *rc::gen::inRange(0, 101) / 100.0;
    values.push_back(range.low + share * (range.high - range.low));
  }
  return values;
}

std::string told(const Op& op, const OpCard& card) {
  return std::string(word(op.kind)) + ' ' + std::string(word(op.math)) + ' ' +
         render_shape(op.shape) + " on " + std::to_string(card.generation.major) + '.' +
         std::to_string(card.generation.minor) + " with " + std::to_string(card.sms);
}

/// Of an operation as it runs on `gpu`.
struct Case {
  Op op;
  OpCard card;
  const OpFamily* family = nullptr;
  std::vector<double> constants;

  [[nodiscard]] double seconds(const OpCard& on) const {
    return family->estimate(op, on, constants).seconds;
  }
};

Case draw_case(int most) {
  const auto gpu = build(draw_changed_gpu(), draw_basis());
  Case one;
  one.op = predict::as_run(draw_op(most), gpu);
  one.card = predict::describe_card(gpu, one.op.math);
  one.family = predict::family_of(one.op);
  RC_ASSERT(one.family != nullptr);
  one.constants = draw_constants(*one.family);
  return one;
}

RC_GTEST_PROP(Operations, EveryShapeTakesAFinitePositiveTime, ()) {
  Case one = draw_case(*rc::gen::element(kUsual, kExtreme));
  if (*rc::gen::arbitrary<bool>()) one.card.l2_bytes = 0;
  if (*rc::gen::arbitrary<bool>()) one.card.shared_bytes_per_sm = 0;
  if (*rc::gen::arbitrary<bool>()) one.card.watts = one.card.peak = 0;
  const auto time = one.family->estimate(one.op, one.card, one.constants);
  RC_LOG() << told(one.op, one.card) << ": " << time.seconds << " s\n";
  RC_ASSERT(std::isfinite(time.seconds));
  RC_ASSERT(time.seconds > 0);
  RC_ASSERT(time.l2_share >= 0 && time.l2_share <= 1);
  for (const double feature : one.family->features(one.op)) RC_ASSERT(std::isfinite(feature));
}

void assert_not_slower(const Case& one, const OpCard& better) {
  RC_LOG() << told(one.op, one.card) << ": " << one.seconds(one.card) << " s, then "
           << one.seconds(better) << " s\n";
  RC_ASSERT(one.seconds(better) <= one.seconds(one.card) * (1 + 1e-9));
}

RC_GTEST_PROP(Operations, MoreBandwidthIsNeverSlower, ()) {
  const Case one = draw_case(*rc::gen::element(kUsual, kExtreme));
  OpCard better = one.card;
  const double factor = draw_factor();
  better.stream *= factor;
  better.peer *= factor;
  better.host_link *= factor;
  assert_not_slower(one, better);
}

// What an SM is made of stays, as libraries choose their kernels by it.
RC_GTEST_PROP(Operations, AHigherSustainedRateIsNeverSlower, ()) {
  const Case one = draw_case(*rc::gen::element(kUsual, kExtreme));
  OpCard better = one.card;
  const double factor = draw_factor();
  better.rate *= factor;
  better.cuda_core_rate *= factor;
  assert_not_slower(one, better);
}

RC_GTEST_PROP(Operations, AFasterClockIsNeverSlower, ()) {
  const Case one = draw_case(*rc::gen::element(kUsual, kExtreme));
  OpCard better = one.card;
  const double factor = draw_factor();
  better.clock *= factor;
  better.rate *= factor;
  better.peak *= factor;
  better.cuda_core_rate *= factor;
  better.l2_bandwidth *= factor;
  better.watts *= factor * factor * factor;  // else the limit takes back what the clock gives
  assert_not_slower(one, better);
}

RC_GTEST_PROP(Operations, AnAnswerLiesInsideItsInterval, ()) {
  const auto source = build(draw_gpu(), draw_basis());
  const auto target = build(draw_changed_gpu(), draw_basis());
  const bool with_source = *rc::gen::arbitrary<bool>();
  const predict::OpPredictor known(predict::OpConstants::built_in(),
                                   {with_source ? &source : nullptr, {}}, {&target, {}});
  for (int i = 0; i < 20; ++i) {
    const Op op = draw_op(*rc::gen::element(kUsual, kExtreme));
    std::optional<double> seconds;
    if (with_source && *rc::gen::arbitrary<bool>()) {
      seconds = static_cast<double>(draw_nanoseconds()) * 1e-9;
    }
    const auto answer = known.predict(op, seconds);
    RC_LOG() << told(op, predict::describe_card(target, op.math)) << ": " << answer.low << " … "
             << answer.seconds << " … " << answer.high << '\n';
    RC_ASSERT(answer.answered);
    RC_ASSERT(answer.low > 0);
    RC_ASSERT(answer.low <= answer.seconds && answer.seconds <= answer.high);
    RC_ASSERT(std::isfinite(answer.high));
    RC_ASSERT(std::isfinite(answer.naive) && answer.naive >= 0);
  }
}

RC_GTEST_PROP(Operations, WhatWasLearntFromAnyTimesKeepsAnswersFinite, ()) {
  const auto source = build(draw_gpu(), draw_basis());
  const auto target = build(draw_gpu(), draw_basis());
  std::vector<predict::TimedOp> timed;
  for (int i = 0; i < 30; ++i) {
    Op op = draw_op(kUsual);
    op.kind = OpKind::kSoftmax;
    op.shape = draw_op_shape(op.kind, kUsual);
    timed.push_back({op, static_cast<double>(draw_nanoseconds()) * 1e-9});
  }
  predict::OpPredictor known(predict::OpConstants::built_in(), {&source, {}}, {&target, timed});
  known.learn(timed, *rc::gen::arbitrary<bool>());
  RC_ASSERT(std::isfinite(known.overhead()) && known.overhead() >= 0);
  for (const predict::TimedOp& one : timed) {
    const auto answer = known.predict(one.op, one.seconds);
    RC_ASSERT(answer.low > 0 && answer.low <= answer.seconds);
    RC_ASSERT(answer.seconds <= answer.high && std::isfinite(answer.high));
  }
}

}  // namespace
}  // namespace uplift::property
