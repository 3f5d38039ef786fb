// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/fft_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace uplift::predict {
namespace {

using Key = ParameterKey<FftConstants>;

constexpr std::array kKeys = {
    Key{"dram", &FftConstants::dram, 0.3, 1.3},
    Key{"rate", &FftConstants::rate, 0.05, 1.0},
    Key{"pass_cycles", &FftConstants::pass_cycles, 100, 30000},
};

constexpr double kLargestPower = 14;    ///< log2 of the points of one pass: powers of two,
constexpr double kLargestProduct = 13;  ///< other numbers,
constexpr double kLargestFactor = 11;   ///< and parts of longer axes

/// Passes over the data for one axis of `n` points in a multiprocessor of `shared_bytes`.
double count_axis_passes(std::int64_t n, double point_bytes, double shared_bytes) {
  if (n <= 1) return 0;
  const double log2_points = std::log2(static_cast<double>(n));
  const bool power = (n & (n - 1)) == 0;
  double largest = power ? kLargestPower : kLargestProduct;
  if (shared_bytes > 0)
    largest = std::min(largest, std::floor(std::log2(shared_bytes / point_bytes)));
  if (log2_points <= largest) return 1;
  double primes = 0;
  for (const std::int64_t prime : {2, 3, 5, 7}) primes += n % prime == 0 ? 1 : 0;
  return std::max({2.0, primes, pieces(log2_points, kLargestFactor)});
}

double count_passes(const FftShape& shape, double point_bytes, double shared_bytes) {
  double passes = 0;
  for (const auto n : shape.n) passes += count_axis_passes(n, point_bytes, shared_bytes);
  return std::max(1.0, passes);
}

Features describe(const Op& op) {
  const auto* shape = std::get_if<FftShape>(&op.shape);
  if (shape == nullptr) return {};
  const double points = std::max(1.0, least_bytes(op.shape, 1.0).value());
  return {std::log(points), std::log(static_cast<double>(shape->batch)),
          count_passes(*shape, 2 * op.element_bytes, 0)};
}

}  // namespace

OpTime estimate_fft(const Op& op, const OpCard& card, const FftConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<FftShape>(&op.shape);
  if (shape == nullptr) return time;
  const double passes = count_passes(*shape, 2 * op.element_bytes, card.shared_bytes_per_sm);
  const double once = least_bytes(op.shape, op.element_bytes).value();
  const double dram = passes * once / (constants.dram * card.stream);
  const double rate = op.math == Math::kFp64 ? card.rate : card.cuda_core_rate;
  const double work = rate > 0 ? flops(op.shape).value() / (constants.rate * rate) : 0.0;
  const double starts = passes * (card.floor + constants.pass_cycles / card.clock);
  time.seconds = starts + overlap(dram, work);
  time.bound = bound_of(starts, dram, work, 0);
  return time;
}

const OpFamily& fft_family() {
  static const FamilyOf<FftConstants, kKeys.size()> kFamily("fft", kKeys, estimate_fft, describe);
  return kFamily;
}

}  // namespace uplift::predict
