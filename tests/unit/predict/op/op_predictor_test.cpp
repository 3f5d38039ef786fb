// SPDX-License-Identifier: Apache-2.0
// Single operations from card to card, with the constants and boards that ship.
#include "uplift/predict/op/op_predictor.hpp"

#include "uplift/catalog/catalog.hpp"
#include "uplift/predict/op/families.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <gmock/gmock.h>
#include <map>

namespace uplift::predict {
namespace {

using ::testing::HasSubstr;

const model::GpuModel& board(std::string_view id, model::Basis basis = model::Basis::kPublished) {
  static const catalog::Catalog kBoards = catalog::Catalog::load().value();
  static const model::Parameters kParameters = model::load_parameters().value();
  static std::map<std::pair<std::string, model::Basis>, model::GpuModel> built;
  const std::pair key{std::string(id), basis};
  const auto found = built.find(key);
  if (found != built.end()) return found->second;
  return built.emplace(key, model::build_gpu_model(*kBoards.find(id), basis, kParameters).value())
      .first->second;
}

OpPredictor from_to(std::string_view source, std::string_view target) {
  const model::GpuModel* from = source.empty() ? nullptr : &board(source);
  return {OpConstants::built_in(), {from, {}}, {&board(target), {}}};
}

Op gemm(Math math, std::int64_t n) {
  return {OpKind::kGemm, math, storage_bytes(math), storage_bytes(math), GemmShape{1, n, n, n}};
}

Op addition(std::int64_t n) {
  return {OpKind::kElementwise, Math::kFp32, 4, 4, ElementwiseShape{n, 2, 1, ElementwiseOp::kAdd}};
}

/// Additions on an A100 as its formula has them, each with `launch` on top.
std::vector<TimedOp> additions(double launch) {
  const OpPredictor known = from_to("", "a100-sxm4-40gb");
  std::vector<TimedOp> timed;
  for (int i = 0; i < 24; ++i) {
    const Op op = addition(static_cast<std::int64_t>(1e5 * std::exp2(0.5 * i)));
    timed.push_back({op, known.predict(op, std::nullopt).seconds + launch});
  }
  return timed;
}

double width(const OpPredictor::Answer& answer) { return std::log(answer.high / answer.low); }

TEST(OpPredictor, FromTheShapeAlone) {
  const auto answer = from_to("", "h100-sxm5-80gb").predict(gemm(Math::kBf16, 8192), std::nullopt);
  ASSERT_TRUE(answer.answered);
  const double peak = 2.0 * 8192 * 8192 * 8192 / 989e12;
  EXPECT_GT(answer.seconds, peak);
  EXPECT_LT(answer.seconds, 2.5 * peak);
  EXPECT_LT(answer.low, answer.seconds);
  EXPECT_GT(answer.high, answer.seconds);
  EXPECT_EQ(Bound::kCompute, answer.bound);
  EXPECT_EQ(0, answer.naive);
  EXPECT_EQ("", answer.note);
}

TEST(OpPredictor, WithoutASourceCardItsTimesAreNotUsed) {
  const OpPredictor known = from_to("", "l40s");
  const Op op = addition(1 << 24);
  EXPECT_DOUBLE_EQ(known.predict(op, std::nullopt).seconds, known.predict(op, 1.0).seconds);
}

TEST(OpPredictor, ATimeOnTheSourceMovesTheAnswer) {
  const OpPredictor known = from_to("a100-sxm4-80gb", "h100-sxm5-80gb");
  const Op op{OpKind::kSoftmax, Math::kFp32, 4, 4, RowsShape{16384, 4096}};
  const double usual = from_to("", "a100-sxm4-80gb").predict(op, std::nullopt).seconds;
  const auto as_expected = known.predict(op, usual);
  const auto slow = known.predict(op, 1.3 * usual);
  EXPECT_NEAR(1.0, as_expected.seconds / known.predict(op, std::nullopt).seconds, 0.05);
  EXPECT_GT(slow.seconds, as_expected.seconds);
  EXPECT_LE(width(slow), width(known.predict(op, std::nullopt)) * (1 + 1e-12));
  EXPECT_GT(slow.naive, 0);
  EXPECT_NEAR(1.3, slow.naive / as_expected.naive, 1e-9);
}

TEST(OpPredictor, TheSameCardGivesTheTimeBackWithoutDoubt) {
  OpPredictor known = from_to("a100-sxm4-40gb", "a100-sxm4-40gb");
  for (const bool learnt : {false, true}) {
    if (learnt) known.learn(additions(30e-6), true);
    for (const Op& op : {addition(1 << 20), addition(1 << 26), gemm(Math::kFp32, 1000)}) {
      const auto answer = known.predict(op, 7e-4);
      EXPECT_NEAR(7e-4, answer.seconds, 1e-15);
      EXPECT_DOUBLE_EQ(answer.seconds, answer.low);
      EXPECT_DOUBLE_EQ(answer.seconds, answer.high);
    }
  }
}

TEST(OpPredictor, CardsOfOneCapabilityKeepTheRatio) {
  const OpPredictor known = from_to("a100-sxm4-40gb", "a100-pcie-80gb");
  const Op op = addition(1 << 26);
  const auto once = known.predict(op, 1e-3);
  EXPECT_NEAR(2 * once.seconds, known.predict(op, 2e-3).seconds, 1e-12);
  EXPECT_GT(width(once), 0);
}

TEST(OpPredictor, AnotherFormatIsToldAndItsTimeSaysNothing) {
  const OpPredictor known = from_to("a100-sxm4-80gb", "v100-sxm2-32gb");
  const Op op = gemm(Math::kBf16, 4096);
  const auto answer = known.predict(op, 1e-3);
  EXPECT_EQ("runs in fp32 on this card", answer.note);
  EXPECT_DOUBLE_EQ(answer.seconds, known.predict(op, 2e-3).seconds);
  EXPECT_EQ("", known.predict(addition(1 << 26), 3e-4).note);
}

TEST(OpPredictor, AnAnswerFarFromTheRatioOfTheCardsSaysSo) {
  const OpPredictor known = from_to("a100-sxm4-80gb", "t4");
  EXPECT_THAT(known.predict(gemm(Math::kFp16, 8192), 1e-6).note,
              HasSubstr("x what the ratio of the cards says"));
}

TEST(OpPredictor, WithoutAFormulaThereIsNoAnswer) {
  const auto answer = from_to("", "t4").predict({OpKind::kGemm, Math::kFp32, 4, 4, {}}, 1e-3);
  EXPECT_FALSE(answer.answered);
  EXPECT_NE("", answer.note);
}

TEST(OpPredictor, FindsWhatCallsPayBesidesTheirKernel) {
  OpPredictor launched = from_to("a100-sxm4-40gb", "t4");
  launched.learn(additions(30e-6), true);
  EXPECT_NEAR(30e-6, launched.overhead(), 3e-6);
  // It is the same on the target.
  const Op tiny = addition(1000);
  const double kernel = from_to("", "t4").predict(tiny, std::nullopt).seconds;
  EXPECT_NEAR(kernel + launched.overhead(), launched.predict(tiny, std::nullopt).seconds,
              0.1 * kernel);

  OpPredictor bare = from_to("a100-sxm4-40gb", "t4");
  bare.learn(additions(0), true);
  EXPECT_EQ(0, bare.overhead());
  OpPredictor asked_not_to = from_to("a100-sxm4-40gb", "t4");
  asked_not_to.learn(additions(30e-6), false);
  EXPECT_EQ(0, asked_not_to.overhead());
}

TEST(OpPredictor, AFewTimesAreNotLearntFrom) {
  OpPredictor known = from_to("a100-sxm4-40gb", "t4");
  const auto timed = additions(30e-6);
  known.learn(std::span(timed).first(5), true);
  EXPECT_EQ(0, known.overhead());
}

TEST(OpPredictor, AnotherTargetKeepsWhatWasLearnt) {
  OpPredictor known = from_to("a100-sxm4-40gb", "t4");
  known.learn(additions(30e-6), true);
  const OpPredictor other = known.with_target({&board("l40s"), {}});
  OpPredictor fresh = from_to("a100-sxm4-40gb", "l40s");
  fresh.learn(additions(30e-6), true);
  const Op op = addition(1 << 22);
  EXPECT_DOUBLE_EQ(fresh.predict(op, 1e-4).seconds, other.predict(op, 1e-4).seconds);
}

TEST(OpPredictor, OperationsTimedOnTheTargetPullTheAnswer) {
  const model::GpuModel& card = board("l40s");
  std::vector<TimedOp> timed;
  for (int i = 0; i < 12; ++i) {
    const Op op = addition(std::int64_t{1} << (20 + i / 2));
    timed.push_back({op, 1.25 * from_to("", "l40s").predict(op, std::nullopt).seconds});
  }
  const OpPredictor known(OpConstants::built_in(), {nullptr, {}}, {&card, timed});
  const Op op = addition(1 << 24);
  const auto plain = from_to("", "l40s").predict(op, std::nullopt);
  const auto pulled = known.predict(op, std::nullopt);
  EXPECT_GT(pulled.seconds, 1.1 * plain.seconds);
  EXPECT_LT(width(pulled), width(plain));
  // Other families are not touched.
  EXPECT_DOUBLE_EQ(from_to("", "l40s").predict(gemm(Math::kBf16, 4096), std::nullopt).seconds,
                   known.predict(gemm(Math::kBf16, 4096), std::nullopt).seconds);
}

TEST(OpPredictor, CardsUnlikeAnyThatWasTimedAreDoubted) {
  const Op op = addition(1 << 26);
  const model::GpuModel hopper = board("h200-sxm-141gb", model::Basis::kDatasheet);
  model::GpuModel newer = hopper;
  newer.id = "newer";
  newer.compute_capability = board("b200-sxm").compute_capability;
  const auto on = [&](const model::GpuModel& target) {
    return OpPredictor(OpConstants::built_in(), {nullptr, {}}, {&target, {}})
        .predict(op, std::nullopt);
  };
  EXPECT_GT(width(on(newer)), 1.2 * width(on(hopper)));
  EXPECT_DOUBLE_EQ(on(hopper).seconds, on(newer).seconds);
}

}  // namespace
}  // namespace uplift::predict
