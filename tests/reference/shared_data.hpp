// SPDX-License-Identifier: Apache-2.0
// Where the reference data are, as in shared_data.py: in UPLIFT_SHARED, or in a folder `shared`
// beside the repository or beside a folder above it.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace uplift {

/// The folder `part` of them; empty without one.
inline std::filesystem::path shared_data(const char* part) {
  namespace fs = std::filesystem;
  const char* named = std::getenv("UPLIFT_SHARED");
  fs::path above = UPLIFT_SOURCE_DIR;
  for (int i = 0; i < 3; ++i) {
    above = above.parent_path();
    const fs::path folder = (named != nullptr ? fs::path(named) : above / "shared") / "data" / part;
    if (fs::exists(folder)) return folder;
  }
  return {};
}

}  // namespace uplift
