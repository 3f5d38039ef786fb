// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/conv_time.hpp"

#include <limits>

namespace uplift::predict {
namespace {

using CudaKey = ParameterKey<ConvCudaConstants>;

constexpr std::array kCudaKeys = {
    CudaKey{"narrow", &ConvCudaConstants::narrow, 0.4, 1.5},
    CudaKey{"wide", &ConvCudaConstants::wide, 0.5, 1.5},
    CudaKey{"start", &ConvCudaConstants::start, 0.3, 20},
    CudaKey{"lone", &ConvCudaConstants::lone, 0.1, 1.0},
    CudaKey{"direct", &ConvCudaConstants::direct, 0.02, 1.0},
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
constexpr std::array<ImplicitTile, 3> kImplicitTiles = {
    {{32, 8, &ConvCudaConstants::narrow},
     {64, 4, &ConvCudaConstants::wide},
     {128, 2, &ConvCudaConstants::wide}}};

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
    const double blocks = work.groups * tiles_over(work.rows, kTileRows) *
                          tiles_over(work.columns, tile.columns);
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

Features describe_cuda(const Op& op) {
  const auto& shape = std::get<ConvShape>(op.shape);
  const ConvWork work = describe_conv(op);
  return {0.5 * std::log(work.rows),
          0.5 * std::log(work.channels),
          0.5 * std::log(work.columns),
          0.5 * std::log(static_cast<double>(shape.out[1])),
          0.5 * std::log(work.taps),
          0.5 * static_cast<double>(shape.pass)};
}

}  // namespace

OpTime estimate_conv_cuda(const Op& op, const OpCard& card, const ConvCudaConstants& constants) {
  OpTime time;
  const auto* shape = std::get_if<ConvShape>(&op.shape);
  if (shape == nullptr) return time;
  const ConvWork work = describe_conv(op);
  const double bytes = work.bytes() / card.stream;
  double arithmetic = estimate_implicit(op, work, card, constants);
  if (work.groups > 1) {
    arithmetic = std::min(arithmetic, work.flops / (constants.direct * card.rate));
  }
  time.seconds = card.floor + arithmetic + bytes;
  if (has_winograd(*shape)) {
    time.seconds =
        std::min(time.seconds,
                 card.floor + estimate_winograd(*shape, work, card, constants, constants.lone));
  }
  const double longest = std::max({bytes, time.seconds - bytes - card.floor, card.floor});
  time.bound = longest == card.floor ? Bound::kLaunch
               : longest == bytes    ? Bound::kMemory
                                     : Bound::kCompute;
  return time;
}

const OpFamily& conv_fp32_family() {
  static const FamilyOf<ConvCudaConstants, kCudaKeys.size()> kFamily("conv_fp32", kCudaKeys,
                                                                     estimate_conv_cuda,
                                                                     describe_cuda);
  return kFamily;
}

}  // namespace uplift::predict
