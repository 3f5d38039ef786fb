// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/conv_time.hpp"

#include "uplift/predict/op/memory_path.hpp"

#include <limits>

namespace uplift::predict {
namespace {

using CudaKey = ParameterKey<ConvCudaConstants>;

constexpr std::array kCudaKeys = {
    CudaKey{"narrow", &ConvCudaConstants::narrow, 0.4, 1.5},
    CudaKey{"wide", &ConvCudaConstants::wide, 0.5, 1.5},
    CudaKey{"start", &ConvCudaConstants::start, 0.3, 20},
    CudaKey{"lone", &ConvCudaConstants::lone, 0.1, 1.0},
    CudaKey{"direct", &ConvCudaConstants::direct, 0.2, 4},
    CudaKey{"fused", &ConvCudaConstants::fused, 0.3, 1.5},
    CudaKey{"fused_start", &ConvCudaConstants::fused_start, 2, 80},
    CudaKey{"staged", &ConvCudaConstants::staged, 0.3, 1.5},
    CudaKey{"staged_start", &ConvCudaConstants::staged_start, 0.3, 40},
    CudaKey{"staged_lone", &ConvCudaConstants::staged_lone, 0.1, 1.0},
    CudaKey{"passes", &ConvCudaConstants::passes, 0.5, 8},
};

/// One tile of the implicit GEMM and how many fit on a multiprocessor.
struct ImplicitTile {
  double columns, resident;
  double ConvCudaConstants::*share;
};

constexpr double kTileRows = 128;
constexpr std::array<ImplicitTile, 3> kImplicitTiles = {{{32, 8, &ConvCudaConstants::narrow},
                                                         {64, 4, &ConvCudaConstants::wide},
                                                         {128, 2, &ConvCudaConstants::wide}}};

using TensorKey = ParameterKey<ConvTensorConstants>;

constexpr std::array kTensorKeys = {
    TensorKey{"wide", &ConvTensorConstants::wide, 0.4, 1.3},
    TensorKey{"feed", &ConvTensorConstants::feed, 0.1, 4},
    TensorKey{"start", &ConvTensorConstants::start, 10, 600},
    TensorKey{"lone", &ConvTensorConstants::lone, 0.1, 1.0},
    TensorKey{"dram", &ConvTensorConstants::dram, 0.4, 1.3},
    TensorKey{"direct", &ConvTensorConstants::direct, 0.2, 4},
    TensorKey{"kernels", &ConvTensorConstants::kernels, 1, 12},
};

struct TensorTile {
  double rows, columns, resident;
};

constexpr std::array<TensorTile, 7> kTensorTiles = {{{256, 128, 1},
                                                     {128, 256, 1},
                                                     {128, 128, 2},
                                                     {256, 64, 2},
                                                     {64, 256, 2},
                                                     {128, 64, 4},
                                                     {64, 64, 8}}};
constexpr double kRunBytes = 64;
constexpr double kLoadBytes = 16;

/// Into how many parts the sum of `work` is cut when its tiles make `blocks` and the card has room
/// for `slots`: only weight gradients, and no part shorter than a thousand terms.
double split_depth(const Op& op, const ConvWork& work, double blocks, double slots) {
  if (std::get<ConvShape>(op.shape).pass != ConvPass::kWeightGradient) return 1;
  const double most = std::max(1.0, std::floor(work.channels / 1024));
  return std::clamp(std::floor(slots / blocks), 1.0, most);
}

double estimate_implicit(const Op& op, const ConvWork& work, const OpCard& card,
                         const ConvCudaConstants& constants) {
  double least = std::numeric_limits<double>::infinity();
  for (const ImplicitTile& tile : kImplicitTiles) {
    const double blocks =
        work.groups * tiles_over(work.rows, kTileRows) * tiles_over(work.columns, tile.columns);
    const double parts = split_depth(op, work, blocks, card.sms * tile.resident);
    const double depth = (work.channels / parts + constants.start) * work.taps;
    const double products = 2 * kTileRows * tile.columns * depth * card.sms /
                            (constants.*tile.share * card.rate) *
                            wave_time(blocks * parts, card.sms, tile.resident, constants.lone);
    const double partial = parts > 1 ? 2 * parts * work.weights * work.element_bytes : 0.0;
    least = std::min(least, products + partial / card.stream);
  }
  return least;
}

double estimate_tensor_products(const Op& op, const ConvWork& work, const OpCard& card,
                                const ConvTensorConstants& constants) {
  const double run = kRunBytes / work.element_bytes;
  const double depth = work.taps * tiles_over(work.channels, run) * run;
  const double feed = constants.feed * 0.5 * work.element_bytes;
  const double whole = constants.wide * (1 + 0.75 * constants.feed) * card.rate / card.sms;
  // What tiles without waste would take, to pass over those that cannot be the best.
  const double exact = 2 * work.groups * work.rows * work.columns * depth / (whole * card.sms);
  double least = std::numeric_limits<double>::infinity();
  for (const TensorTile& tile : kTensorTiles) {
    const double blocks =
        work.groups * tiles_over(work.rows, tile.rows) * tiles_over(work.columns, tile.columns);
    const double loads = 1 + feed * (64 / tile.rows + 64 / tile.columns);
    if (exact * loads >= least) continue;
    const double parts = split_depth(op, work, blocks, card.sms * tile.resident);
    const double products = 2 * tile.rows * tile.columns * (depth / parts + constants.start) *
                            loads / whole *
                            wave_time(blocks * parts, card.sms, tile.resident, constants.lone);
    const double partial = parts > 1 ? 2 * parts * work.weights * sizeof(float) : 0.0;
    least = std::min(least, products + partial / card.stream);
  }
  return least;
}

bool is_depthwise(const ConvShape& shape) {
  return shape.groups > 1 && shape.groups == shape.c && shape.groups == shape.k;
}

/// Seconds of a convolution of one channel a group. PyTorch's kernels give a thread an output, or
/// an input's gradient, and go through the taps one by one; a block sums the gradient of one
/// weight. Warp instructions for 32 results were counted from times on an H200 (data/measured): a
/// loop's start and a tap, which in a data gradient is looked at for its stride first.
double direct_seconds(const ConvShape& shape, const ConvWork& work, const OpCard& card) {
  constexpr double kBlocks = 4;       // on a multiprocessor
  constexpr double kTwoBytes = 0.25;  // of the instructions: cuDNN's kernels for channels-last
  const double taps = static_cast<double>(shape.filter[0]) * static_cast<double>(shape.filter[1]) *
                      static_cast<double>(shape.filter[2]);
  double warps = 0;
  double share = 1;  // of the card that has work
  switch (shape.pass) {
    case ConvPass::kForward:
      warps = work.output / 32 * (180 + 15 * taps);
      break;
    case ConvPass::kDataGradient:
      warps = work.input / 32 * (470 + 9 * taps);
      break;
    case ConvPass::kWeightGradient:
      warps = work.output / 32 * 47 * taps;
      share = std::min(1.0, work.weights / (kBlocks * card.sms));
      break;
  }
  const double each = work.element_bytes < 4 ? kTwoBytes : work.element_bytes / 4;
  return warps * each / (share * issue_rate(card));
}

/// Bytes moved to copy tensors whose channels do not fill whole loads: read, written, read again.
double padding_bytes(const ConvShape& shape, const ConvWork& work) {
  const auto filled = [&](std::int64_t channels) {
    return std::fmod(static_cast<double>(channels) * work.element_bytes, kLoadBytes) == 0;
  };
  double elements = 0;
  if (!filled(shape.c)) elements += work.input + work.weights;
  if (!filled(shape.k)) elements += work.output + work.weights;
  return 2 * elements * work.element_bytes;
}

Bound bound_of(double floor, double compute, double memory) {
  if (floor >= std::max(compute, memory)) return Bound::kLaunch;
  return compute >= memory ? Bound::kCompute : Bound::kMemory;
}

/// The work is told apart from the extents so that operations to time are spread over durations:
/// short ones tell of launches, long ones of ceilings.
Features describe(const Op& op) {
  const auto& shape = std::get<ConvShape>(op.shape);
  const ConvWork work = describe_conv(op);
  return {0.5 * std::log(work.rows),    0.5 * std::log(work.channels),
          0.5 * std::log(work.columns), 0.5 * std::log(work.flops),
          0.5 * std::log(work.taps),    0.5 * static_cast<double>(shape.pass)};
}

}  // namespace

OpTime estimate_conv_cuda(const Op& op, const OpCard& card, const ConvCudaConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<ConvShape>(&op.shape);
  if (shape == nullptr) return time;
  const ConvWork work = describe_conv(op);
  const double bytes = work.bytes() / card.stream;
  const double arithmetic = is_depthwise(*shape)
                                ? constants.direct * direct_seconds(*shape, work, card)
                                : estimate_implicit(op, work, card, constants);
  time.seconds = card.floor + arithmetic + bytes;
  if (has_winograd(*shape, card)) {
    time.seconds =
        std::min(time.seconds,
                 card.floor + estimate_winograd(*shape, work, card, constants, constants.lone));
  }
  time.bound = bound_of(card.floor, time.seconds - card.floor - bytes, bytes);
  return time;
}

OpTime estimate_conv_tensor(const Op& op, const OpCard& card,
                            const ConvTensorConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<ConvShape>(&op.shape);
  if (shape == nullptr) return time;
  const ConvWork work = describe_conv(op);
  const double memory = work.bytes() / (constants.dram * card.stream);
  const double compute = is_depthwise(*shape)
                             ? constants.direct * direct_seconds(*shape, work, card)
                             : estimate_tensor_products(op, work, card, constants);
  const double padding = work.groups > 1 ? 0.0 : padding_bytes(*shape, work) / card.stream;
  const double longest = std::max(compute, memory);
  const double ratio = std::min(compute, memory) / longest;
  const double square = ratio * ratio;
  time.seconds = constants.kernels * card.floor + padding +
                 longest * std::sqrt(std::sqrt(1 + square * square));
  time.bound = bound_of(constants.kernels * card.floor, compute, memory + padding);
  return time;
}

const OpFamily& conv_fp32_family() {
  static const FamilyOf<ConvCudaConstants, kCudaKeys.size()> kFamily("conv_fp32", kCudaKeys,
                                                                     estimate_conv_cuda, describe);
  return kFamily;
}

const OpFamily& conv_tensor_family() {
  static const FamilyOf<ConvTensorConstants, kTensorKeys.size()> kFamily(
      "conv_tensor", kTensorKeys, estimate_conv_tensor, describe);
  return kFamily;
}

}  // namespace uplift::predict
