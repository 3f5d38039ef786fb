// SPDX-License-Identifier: Apache-2.0
// Makes text that came from outside (file names, kernel names, host names in a trace) safe to
// print: it stays one line and cannot drive the terminal. Not for JSON, whose writer escapes by
// itself.
#pragma once

#include <string>
#include <string_view>

namespace uplift {

/// `text` with control characters, bidirectional overrides and bytes that are not UTF-8 replaced by
/// visible escapes: `\n`, `\t`, `\x1b`, `\u202e`. Other text, in any language, is unchanged.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace uplift
