// SPDX-License-Identifier: Apache-2.0
// Small pieces of JSON text that the trace reader handles itself: exact times and string escapes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace uplift::read {

/// Microseconds as decimal text (`1623143093496523`, `5241293918139.651`, `1.5e3`, or the same in
/// quotes) to integer nanoseconds, exact for plain decimals; digits below a nanosecond are rounded
/// to nearest. Empty if it is not a finite number or does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_microseconds(std::string_view text);

/// Text of a JSON string without its quotes, escapes resolved; a bad escape is kept as it stands.
[[nodiscard]] std::string unescape(std::string_view raw);

/// True if `rest` starts with a valid escape, backslash included.
[[nodiscard]] bool starts_escape(std::string_view rest);

}  // namespace uplift::read
