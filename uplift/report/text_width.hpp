// SPDX-License-Identifier: Apache-2.0
// Text from outside (kernel names, file names) made safe to print, and how wide it is on a
// terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace uplift::report {

/// Columns on a terminal: East Asian wide characters take two, combining marks none.
[[nodiscard]] int display_width(std::string_view text);

/// At most `width` columns; what does not fit is replaced by `…`.
[[nodiscard]] std::string truncate(std::string_view text, int width);

/// Lines of at most `width` columns, broken at spaces; a longer word stands alone.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, int width);

}  // namespace uplift::report
