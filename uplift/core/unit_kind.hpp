// SPDX-License-Identifier: Apache-2.0
// What a catalog number measures. The kind fixes which units a file may write it in and how a
// report prints it; the number itself is always in the SI base unit of its kind.
#pragma once

#include <array>
#include <optional>
#include <string_view>

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

/// A unit that files may use. GB is 10^9 bytes and GiB is 2^30.
struct Unit {
  std::string_view text;
  UnitKind kind;
  double factor;
};

inline constexpr double kKiB = 1024.0;
inline constexpr double kMiB = kKiB * 1024.0;
inline constexpr double kGiB = kMiB * 1024.0;

inline constexpr auto kUnits = std::to_array<Unit>({
    {"count", UnitKind::kCount, 1},
    {"1", UnitKind::kRatio, 1},
    {"Hz", UnitKind::kFrequency, 1},
    {"MHz", UnitKind::kFrequency, 1e6},
    {"GHz", UnitKind::kFrequency, 1e9},
    {"GFLOP/s", UnitKind::kComputeRate, 1e9},
    {"TFLOP/s", UnitKind::kComputeRate, 1e12},
    {"PFLOP/s", UnitKind::kComputeRate, 1e15},
    {"TOP/s", UnitKind::kComputeRate, 1e12},
    {"POP/s", UnitKind::kComputeRate, 1e15},
    {"B", UnitKind::kBytes, 1},
    {"KiB", UnitKind::kBytes, kKiB},
    {"MB", UnitKind::kBytes, 1e6},
    {"MiB", UnitKind::kBytes, kMiB},
    {"GB", UnitKind::kBytes, 1e9},
    {"GiB", UnitKind::kBytes, kGiB},
    {"MB/s", UnitKind::kByteRate, 1e6},
    {"GB/s", UnitKind::kByteRate, 1e9},
    {"GiB/s", UnitKind::kByteRate, kGiB},
    {"TB/s", UnitKind::kByteRate, 1e12},
    {"bit", UnitKind::kBits, 1},
    {"ns", UnitKind::kTime, 1e-9},
    {"us", UnitKind::kTime, 1e-6},
    {"ms", UnitKind::kTime, 1e-3},
    {"s", UnitKind::kTime, 1},
    {"W", UnitKind::kPower, 1},
});

/// How many SI base units one `unit` is; nothing when the unit does not measure `kind`.
[[nodiscard]] constexpr std::optional<double> unit_factor(std::string_view unit, UnitKind kind) {
  for (const Unit& known : kUnits) {
    if (known.text == unit && known.kind == kind) return known.factor;
  }
  return std::nullopt;
}

}  // namespace uplift
