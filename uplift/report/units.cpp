// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/units.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <span>

namespace uplift::report {
namespace {

struct Scale {
  double factor;
  std::string_view unit;
};

/// The value rounded to three significant digits, so that 999.9 becomes 1000 before a scale is
/// chosen.
double round_to_three(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

std::string group_thousands(std::string digits) {
  const std::size_t start = !digits.empty() && digits.front() == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > start + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

/// Three significant digits of an already rounded value; more only left of the point.
std::string three_digits(double rounded) {
  const double magnitude = std::abs(rounded);
  if (magnitude >= 100.0) return group_thousands(fmt::format("{:.0f}", rounded));
  if (magnitude == 0.0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(magnitude) + 1e-9));
  if (exponent < -6) return fmt::format("{:.2e}", rounded);
  return fmt::format("{:.{}f}", rounded, 2 - exponent);
}

/// `scales` ascend; the largest that leaves at least 1 is used, the smallest for what is below.
std::string scaled(double value, std::span<const Scale> scales) {
  if (!std::isfinite(value)) return std::string(kUnknown);
  if (value == 0.0) return fmt::format("0 {}", scales.front().unit);
  const Scale* chosen = &scales.front();
  for (const Scale& scale : scales) {
    if (std::abs(round_to_three(value / scale.factor)) >= 1.0) chosen = &scale;
  }
  return fmt::format("{} {}", three_digits(round_to_three(value / chosen->factor)), chosen->unit);
}

}  // namespace

std::string format_seconds(double seconds) {
  constexpr Scale kScales[] = {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1.0, "s"}};
  return scaled(seconds, kScales);
}

std::string format_bytes(double bytes) {
  constexpr Scale kScales[] = {{1.0, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}};
  return scaled(bytes, kScales);
}

std::string format_bytes_binary(double bytes) {
  constexpr Scale kScales[] = {{1.0, "B"}, {kKiB, "KiB"}, {kMiB, "MiB"}, {kGiB, "GiB"}};
  return scaled(bytes, kScales);
}

std::string format_byte_rate(double bytes_per_s) {
  constexpr Scale kScales[] = {{1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}};
  return scaled(bytes_per_s, kScales);
}

std::string format_flop_rate(double flops_per_s) {
  constexpr Scale kScales[] = {
      {1e6, "MFLOP/s"}, {1e9, "GFLOP/s"}, {1e12, "TFLOP/s"}, {1e15, "PFLOP/s"}};
  return scaled(flops_per_s, kScales);
}

std::string format_hertz(double hertz) {
  constexpr Scale kScales[] = {{1.0, "Hz"}, {1e6, "MHz"}, {1e9, "GHz"}};
  return scaled(hertz, kScales);
}

std::string format_watts(double watts) {
  constexpr Scale kScales[] = {{1.0, "W"}, {1e3, "kW"}, {1e6, "MW"}};
  return scaled(watts, kScales);
}

std::string format_joules(double joules) {
  constexpr Scale kScales[] = {{1e-3, "mJ"}, {1.0, "J"}, {1e3, "kJ"}, {1e6, "MJ"}};
  return scaled(joules, kScales);
}

std::string format_ratio(double ratio) {
  if (!std::isfinite(ratio)) return std::string(kUnknown);
  return format_number(ratio) + "×";
}

std::string format_percent(double fraction) {
  if (!std::isfinite(fraction)) return std::string(kUnknown);
  return format_number(fraction * 100.0) + " %";
}

std::string format_count(std::int64_t count) { return group_thousands(fmt::format("{}", count)); }

std::string format_number(double value) {
  if (!std::isfinite(value)) return std::string(kUnknown);
  return three_digits(round_to_three(value));
}

std::string format_in_unit(double si_value, std::string_view unit, UnitKind kind) {
  const auto factor = unit_factor(unit, kind);
  if (!factor || !std::isfinite(si_value)) return std::string(kUnknown);
  const double value = si_value / *factor;
  if (std::abs(value) >= 1000.0) return group_thousands(fmt::format("{:.0f}", value));
  return fmt::format("{:.4g}", value);
}

std::string format_raw(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

}  // namespace uplift::report
