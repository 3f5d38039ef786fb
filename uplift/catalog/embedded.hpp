// SPDX-License-Identifier: Apache-2.0
// The files of data/ that the build put into the binary.
#pragma once

#include <span>
#include <string_view>

namespace uplift::catalog {

struct EmbeddedFile {
  std::string_view path;  ///< relative to the source tree: `data/gpus/t4.toml`
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

}  // namespace uplift::catalog
