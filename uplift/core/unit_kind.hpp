// SPDX-License-Identifier: Apache-2.0
// What a catalog number measures. The kind fixes which units a file may write it in and how a
// report prints it; the number itself is always in the SI base unit of its kind.
#pragma once

namespace uplift {

enum class UnitKind {
  kCount,        ///< a whole number
  kRatio,        ///< dimensionless
  kFrequency,    ///< Hz
  kComputeRate,  ///< FLOP/s or op/s; a fused multiply-add is two
  kBytes,        ///< B
  kByteRate,     ///< B/s
  kBits,         ///< bit
  kTime,         ///< s
  kPower,        ///< W
};

}  // namespace uplift
