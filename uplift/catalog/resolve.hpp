// SPDX-License-Identifier: Apache-2.0
// From a name to a board. A name is cut into words; the words that make the model (`a100`,
// `rtx-2080-ti`) must agree, the words that make the variant (`sxm4`, `80gb`) choose among its
// boards.
#pragma once

#include "uplift/catalog/catalog.hpp"

#include <span>
#include <string_view>

namespace uplift::catalog {

/// For names that people type: what fits several boards is refused with the list.
[[nodiscard]] Result<Resolution> resolve_typed(std::span<const Gpu> gpus, std::string_view name);

/// For names that programs print: what fits several boards goes to the nearest, with a note.
[[nodiscard]] Result<Resolution> resolve_printed(std::span<const Gpu> gpus,
                                                 const DeviceHints& hints);

}  // namespace uplift::catalog
