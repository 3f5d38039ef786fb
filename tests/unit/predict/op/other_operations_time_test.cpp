// SPDX-License-Identifier: Apache-2.0
// Embeddings, transforms, sparse products and copies, with times worked out by hand.
#include "tests/unit/predict/op/hand_made_card.hpp"
#include "uplift/predict/op/copy_time.hpp"
#include "uplift/predict/op/embedding_time.hpp"
#include "uplift/predict/op/fft_time.hpp"
#include "uplift/predict/op/spmv_time.hpp"

#include <gtest/gtest.h>

namespace uplift::predict {
namespace {

double fft(std::int64_t batch, std::array<std::int64_t, 3> n, const OpCard& card) {
  return estimate_fft(make_op(OpKind::kFft, FftShape{batch, n}), card, {}).seconds;
}

double embedding(std::int64_t cols, const OpCard& card) {
  const Op op = make_op(OpKind::kEmbedding, RowsShape{1'000'000, cols, false});
  return estimate_embedding(op, card, {}).seconds;
}

TEST(EmbeddingTime, AShortRowTakesTheStartOfABlock) {
  // 64 B a row: 0.136 GB at 0.85 TB/s are far less than 1e6 blocks, one every 1.2 cycles of 1 ns.
  EXPECT_NEAR(1.2e-3, embedding(16, hand_made_card()), 0.01e-3);
}

TEST(EmbeddingTime, RowsOfOddBytesGoElementByElement) {
  // 95 instructions for 32 elements at 100 x 4 a ns, or two blocks a row.
  OpCard card = hand_made_card();
  card.stream = 1e15;
  EXPECT_NEAR(15.2e-3, embedding(2049, card), 0.1e-3);
  EXPECT_NEAR(2.4e-3, embedding(2048, card), 0.1e-3);
}

TEST(FftTime, ALongAxisTakesMorePasses) {
  // 1.07 GB each way; the work of 5 n log2 n stays far below what the card can do.
  OpCard card = hand_made_card();
  card.cuda_core_rate = 1e15;
  const double one = 2 * 8.0 * (1 << 27) / 0.9e12;
  EXPECT_NEAR(one, fft(1 << 13, {1 << 14, 1, 1}, card), 0.01 * one);
  EXPECT_NEAR(2 * one, fft(1 << 12, {1 << 15, 1, 1}, card), 0.02 * one);
  EXPECT_NEAR(3 * one, fft(1, {512, 512, 512}, card), 0.03 * one);
  // 144 000 is 2^7 x 3^2 x 5^3.
  EXPECT_GT(fft(1, {144'000, 1, 1}, card), fft(1, {1 << 17, 1, 1}, card));
  card.shared_bytes_per_sm = 64 * 1024;
  EXPECT_NEAR(2 * one, fft(1 << 13, {1 << 14, 1, 1}, card), 0.02 * one);
}

TEST(SpmvTime, AFewRowsTakeTheSearchForThem) {
  const Op op = make_op(OpKind::kSpmv, SpmvShape{1 << 14, 1 << 16});
  const double start = 3 * 2e-6 + 14 * 0.6e-6;
  EXPECT_NEAR(start, estimate_spmv(op, hand_made_card(), {}).seconds, 2e-6);
}

TEST(CopyTime, OnlyReadsOfTheHostWaitForAnAnswer) {
  const auto seconds = [](CopyDirection direction) {
    const Op op = make_op(OpKind::kMemcpy, CopyShape{4, direction});
    return estimate_copy(op, hand_made_card(), {}).seconds;
  };
  EXPECT_NEAR(0.6e-6, seconds(CopyDirection::kDeviceToHost), 0.01e-6);
  EXPECT_NEAR(1.5e-6, seconds(CopyDirection::kHostToDevice), 0.01e-6);
}

}  // namespace
}  // namespace uplift::predict
