// SPDX-License-Identifier: Apache-2.0
// Fast Fourier transforms of complex points. Every pass reads and writes all points once. A pass
// takes one axis whole if its points fit in shared memory, up to 2^14 as a power of two and 2^13
// otherwise. A longer axis is cut into factors of up to 2^11 points, and its powers of different
// primes, 2, 3, 5 and 7, are passes of their own: so does cuFFT 12 on an H200, data/measured.
//
//   time = passes x (floor + pass_cycles / clock)
//          + ((passes x bytes / DRAM rate)^3 + (5 n log2 n FLOPs / rate)^3)^(1/3)
//
// Passes over points that L2 could hold were no faster there. pass_cycles are those of a block that
// waits for its points and exchanges them between its stages, and of the launch that follows.
#pragma once

#include "uplift/predict/op/op_family.hpp"

namespace uplift::predict {

struct FftConstants {
  double dram = 0.9;  ///< share of the stream rate reached
  double rate = 0.4;  ///< share of the CUDA cores' rate: additions without a product
  double pass_cycles = 3000;
};

[[nodiscard]] OpTime estimate_fft(const Op& op, const OpCard& card, const FftConstants& constants);

[[nodiscard]] const OpFamily& fft_family();

}  // namespace uplift::predict
