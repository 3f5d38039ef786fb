// SPDX-License-Identifier: Apache-2.0
// JSON as profilers write it by mistake: raw quotes, lone backslashes and control characters inside
// strings, bare NaN. A quote ends a string only where what follows can follow a string; that is
// slower than JSON's own rule and used only on text that has failed it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace uplift::read {

/// Deeper nesting than any profiler writes; text beyond it is given up.
inline constexpr std::size_t kDepthLimit = 1000;

/// The position behind the value that starts with a bracket at the start of `text`, or npos: the
/// text ends first, or nests too deep. `complete`: nothing follows `text`; otherwise a place where
/// its end leaves the matter open counts as "ends first".
[[nodiscard]] std::size_t find_value_end(std::string_view text, bool complete);

/// A copy of JSON text (values with commas between them) in which bare NaN and Infinity are null,
/// control characters and quotes inside strings are escaped, backslashes that start no escape are
/// doubled, and bytes that are not UTF-8 are `?`.
[[nodiscard]] std::string repair_json(std::string_view text);

}  // namespace uplift::read
