// SPDX-License-Identifier: Apache-2.0
#include "cli/answer.hpp"

#include "uplift/core/version.hpp"

namespace uplift::cli {

std::string render_document(const report::Document& document, const Console& console) {
  switch (console.options.format) {
    case Format::kCsv:
      return report::render_csv(document);
    case Format::kMarkdown:
      return report::render_markdown(document);
    case Format::kText:
    case Format::kJson:
      break;
  }
  return report::render_text(document, {console.color(), console.width()});
}

ToolInfo tool_info(const catalog::Catalog& catalog, const Console& console) {
  ToolInfo tool;
  tool.version = version();
  tool.git = git_hash();
  tool.catalog_date = catalog.date();
  tool.seed = console.options.seed;
  return tool;
}

}  // namespace uplift::cli
