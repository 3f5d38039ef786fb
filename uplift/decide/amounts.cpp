// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/amounts.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

namespace uplift::decide {
namespace {

using Scale = std::pair<double, std::string_view>;

std::string scaled(double value, std::span<const Scale> scales) {
  // 999.6 of one unit prints as 1.00 of the next.
  constexpr double kNext = 0.9995;
  const Scale* chosen = &scales.front();
  for (const Scale& scale : scales) {
    if (value >= kNext * scale.first) chosen = &scale;
  }
  const double number = value / chosen->first;
  const int decimals = number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", number, decimals, chosen->second);
}

}  // namespace

std::string time_text(double seconds) {
  constexpr std::array<Scale, 3> kScales = {{{1e-6, "µs"}, {1e-3, "ms"}, {1.0, "s"}}};
  return scaled(seconds, kScales);
}

std::string bytes_text(double bytes) {
  constexpr std::array<Scale, 4> kScales = {{{1.0, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}}};
  return bytes < 999.5 ? fmt::format("{:.0f} B", bytes) : scaled(bytes, kScales);
}

std::string share_text(double fraction) {
  return fraction >= 0.0995 ? fmt::format("{:.0f} %", 100.0 * fraction)
                            : fmt::format("{:.1f} %", 100.0 * fraction);
}

std::string count_text(std::int64_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", count, noun) : fmt::format("{} {}", count, plural);
}

}  // namespace uplift::decide
