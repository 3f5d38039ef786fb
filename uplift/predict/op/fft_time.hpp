// SPDX-License-Identifier: Apache-2.0
// Fast Fourier transforms of complex points. Every pass reads and writes all points once; a pass
// takes up to 2^12 points along one axis through shared memory (cuFFT documentation, "Accuracy and
// Performance": sizes that fit shared memory take one kernel).
//
//   time = passes x floor + ((passes x bytes / DRAM rate)^3 + (5 n log2 n FLOPs / rate)^3)^(1/3)
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct FftConstants {
  double dram = 0.9;      ///< share of the stream rate reached
  double rate = 0.4;      ///< share of the CUDA cores' rate: additions without a product
  double l2_reach = 0.3;  ///< share of L2 that holds points from pass to pass
};

[[nodiscard]] OpTime estimate_fft(const Op& op, const OpCard& card, const FftConstants& constants);

[[nodiscard]] const OpFamily& fft_family();

}  // namespace uplift::predict
