// SPDX-License-Identifier: Apache-2.0
// Which uplift this is. The version is written once, in project() of CMakeLists.txt; the git hash
// is taken again at every build (cmake/UpliftVersion.cmake fills in version.cpp.in).
#pragma once

#include <string_view>

namespace uplift {

/// `0.1.0`
[[nodiscard]] std::string_view version();

/// The commit, 12 digits, with `-dirty` after it when tracked files were changed; empty when the
/// sources are not a git checkout or git is not installed.
[[nodiscard]] std::string_view git_hash();

}  // namespace uplift
