// SPDX-License-Identifier: Apache-2.0
// The tables of a document for other programs: SI values under keys that name their unit.
#include "uplift/core/printable.hpp"
#include "uplift/report/document.hpp"
#include "uplift/report/units.hpp"

namespace uplift::report {
namespace {

/// RFC 4180: a field with a comma, a quote or an edge space stands in quotes, quotes are doubled.
std::string quoted(std::string_view text) {
  std::string safe = printable(text);
  const bool edge = !safe.empty() && (safe.front() == ' ' || safe.back() == ' ');
  if (!edge && safe.find_first_of(",\"") == std::string::npos) return safe;
  std::string out = "\"";
  for (const char c : safe) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string render_csv(const Document& document) {
  std::string out;
  for (const Block& block : document.blocks) {
    const Table* table = std::get_if<Table>(&block);
    if (table == nullptr) continue;
    if (!out.empty()) out += "\n";
    for (std::size_t i = 0; i < table->columns.size(); ++i) {
      const Column& column = table->columns[i];
      out += (i > 0 ? "," : "") + quoted(column.key.empty() ? column.title : column.key);
    }
    out += "\n";
    for (const auto& row : table->rows) {
      for (std::size_t i = 0; i < table->columns.size(); ++i) {
        const Cell cell = i < row.size() ? row[i] : Cell{};
        if (i > 0) out += ",";
        if (!cell.raw.empty()) {
          out += quoted(cell.raw);
        } else if (cell.text != kUnknown) {  // unknown is an empty field
          out += quoted(cell.text);
        }
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace uplift::report
