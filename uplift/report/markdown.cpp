// SPDX-License-Identifier: Apache-2.0
// A document as GitHub-flavoured Markdown, for tickets and merge requests.
#include "uplift/core/printable.hpp"
#include "uplift/report/document.hpp"

namespace uplift::report {
namespace {

/// Keeps kernel names such as `at::native<…>` from being read as markup.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*<>|[]").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string strong_if(const std::string& text, Tone tone) {
  const bool strong = tone == Tone::kStrong || tone == Tone::kBad;
  return strong && !text.empty() ? "**" + text + "**" : text;
}

void render(const Heading& heading, std::string& out) {
  out += "## " + escaped(heading.text) + "\n";
}

void render(const Paragraph& paragraph, std::string& out) {
  out += strong_if(escaped(paragraph.text), paragraph.tone) + "\n";
}

void render(const Table& table, std::string& out) {
  if (!table.title.empty()) out += "### " + escaped(table.title) + "\n\n";
  std::string header = "|";
  std::string rule = "|";
  for (const Column& column : table.columns) {
    header += " " + escaped(column.title) + " |";
    rule += column.align == Align::kRight ? "---:|" : "---|";
  }
  out += header + "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Cell cell = i < row.size() ? row[i] : Cell{};
      out += " " + strong_if(escaped(cell.text), cell.tone) + " |";
    }
    out += "\n";
  }
  for (const std::string& note : table.notes) out += "\n" + escaped(note) + "\n";
}

}  // namespace

std::string render_markdown(const Document& document) {
  std::string out;
  for (const Block& block : document.blocks) {
    if (!out.empty()) out += "\n";
    std::visit([&](const auto& part) { render(part, out); }, block);
  }
  return out;
}

}  // namespace uplift::report
