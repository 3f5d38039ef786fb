// SPDX-License-Identifier: Apache-2.0
#include "uplift/catalog/units.hpp"

#include <array>
#include <vector>

namespace uplift::catalog {
namespace {

struct Unit {
  std::string_view text;
  UnitKind kind;
  double factor;
};

constexpr double kKiB = 1024.0;
constexpr double kMiB = kKiB * 1024.0;
constexpr double kGiB = kMiB * 1024.0;

constexpr auto kUnits = std::to_array<Unit>({
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

}  // namespace

std::optional<double> unit_factor(std::string_view unit, UnitKind kind) {
  for (const Unit& known : kUnits) {
    if (known.text == unit && known.kind == kind) return known.factor;
  }
  return std::nullopt;
}

std::string unit_choices(UnitKind kind) {
  std::vector<std::string_view> names;
  for (const Unit& known : kUnits) {
    if (known.kind == kind) names.push_back(known.text);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace uplift::catalog
