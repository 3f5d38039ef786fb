// SPDX-License-Identifier: Apache-2.0
// The JSON of `uplift gpus` (schema uplift.gpus/1) and `uplift compare` (uplift.compare/1). Keys
// end in their unit, values are in SI units, unknown is null. The schemas are in docs/schema/.
#pragma once

#include "uplift/core/tool_info.hpp"
#include "uplift/report/gpu_comparison.hpp"

#include <span>
#include <string>

namespace uplift::report {

[[nodiscard]] std::string gpus_json(std::span<const BoardView> boards, const ToolInfo& tool);
[[nodiscard]] std::string compare_json(std::span<const BoardView> boards, const ToolInfo& tool);

}  // namespace uplift::report
