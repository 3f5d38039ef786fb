// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: three significant digits and a unit that fits. The same on every
// machine, whatever its locale. What is not finite prints as `–`, unknown.
#pragma once

#include "uplift/core/unit_kind.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace uplift::report {

/// Printed for a number that is not known.
inline constexpr std::string_view kUnknown = "–";

[[nodiscard]] std::string format_seconds(double seconds);        ///< `1.64 µs`
[[nodiscard]] std::string format_bytes(double bytes);            ///< `80.0 GB`, powers of ten
[[nodiscard]] std::string format_bytes_binary(double bytes);     ///< `40.0 MiB`, powers of two
[[nodiscard]] std::string format_byte_rate(double bytes_per_s);  ///< `2.04 TB/s`
[[nodiscard]] std::string format_flop_rate(double flops_per_s);  ///< `312 TFLOP/s`
[[nodiscard]] std::string format_hertz(double hertz);            ///< `1.41 GHz`
[[nodiscard]] std::string format_watts(double watts);            ///< `400 W`
[[nodiscard]] std::string format_joules(double joules);          ///< `12.3 J`
[[nodiscard]] std::string format_ratio(double ratio);            ///< `1.59×`
[[nodiscard]] std::string format_percent(double fraction);       ///< 0.254 is `25.4 %`
[[nodiscard]] std::string format_count(std::int64_t count);      ///< `1,234,567`

/// Three significant digits without a unit: `0.0123`, `1.50`, `42.0`, `1,230`.
[[nodiscard]] std::string format_number(double value);

/// An SI value in a fixed unit and up to four digits, as data sheets print: 989.4e12 in TFLOP/s is
/// `989.4`. Without the unit, for columns that name it once.
[[nodiscard]] std::string format_in_unit(double si_value, std::string_view unit, UnitKind kind);

/// For CSV and other machines: the shortest text that reads back as the same double; empty if not
/// finite.
[[nodiscard]] std::string format_raw(double value);

}  // namespace uplift::report
