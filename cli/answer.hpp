// SPDX-License-Identifier: Apache-2.0
// The last step of every command: a document in the format that was asked for, and the `tool`
// object of JSON answers.
#pragma once

#include "cli/command.hpp"
#include "uplift/catalog/catalog.hpp"
#include "uplift/core/tool_info.hpp"
#include "uplift/report/document.hpp"

#include <string>

namespace uplift::cli {

/// Text, CSV or Markdown as `--format` says; JSON is made by the command itself.
[[nodiscard]] std::string render_document(const report::Document& document, const Console& console);

/// Version, git hash, catalog date and seed. A command that predicts adds model and parameters.
[[nodiscard]] ToolInfo tool_info(const catalog::Catalog& catalog, const Console& console);

}  // namespace uplift::cli
