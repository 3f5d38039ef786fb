// SPDX-License-Identifier: Apache-2.0
// A document for a terminal or a mail: aligned columns, wrapped sentences, colour only when asked.
#include "uplift/core/printable.hpp"
#include "uplift/report/document.hpp"
#include "uplift/report/text_width.hpp"

#include <algorithm>
#include <numeric>

namespace uplift::report {
namespace {

constexpr int kGap = 2;        // between columns
constexpr int kNarrowest = 8;  // no column is cut below this

std::string_view sgr(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kStrong:
      return "\x1b[1m";
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kBad:
      return "\x1b[31m";
    case Tone::kWarning:
      return "\x1b[33m";
    case Tone::kFaint:
      return "\x1b[2m";
  }
  return "";
}

std::string toned(const std::string& text, Tone tone, const TextStyle& style) {
  if (!style.color || tone == Tone::kPlain || text.empty()) return text;
  return std::string(sgr(tone)) + text + "\x1b[0m";
}

/// Column widths: as wide as the content, then shrinking columns give way until the table fits.
std::vector<int> column_widths(const Table& table, int limit) {
  std::vector<int> widths;
  for (const Column& column : table.columns)
    widths.push_back(display_width(printable(column.title)));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(printable(row[i].text)));
    }
  }
  const auto total = [&] {
    return std::accumulate(widths.begin(), widths.end(), 0) +
           kGap * (static_cast<int>(widths.size()) - 1);
  };
  while (total() > limit) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (table.columns[i].shrinks && widths[i] > kNarrowest &&
          (widest == widths.size() || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    if (widest == widths.size()) break;
    widths[widest] -= std::min(total() - limit, widths[widest] - kNarrowest);
  }
  return widths;
}

std::string padded(const std::string& text, Tone tone, int width, Align align, bool last,
                   const TextStyle& style) {
  const std::string cut = truncate(printable(text), width);
  const std::string fill(static_cast<std::size_t>(std::max(0, width - display_width(cut))), ' ');
  if (align == Align::kRight) return fill + toned(cut, tone, style);
  return toned(cut, tone, style) + (last ? "" : fill);
}

void render(const Heading& heading, const TextStyle& style, std::string& out) {
  out += toned(printable(heading.text), Tone::kStrong, style) + "\n";
}

void render(const Paragraph& paragraph, const TextStyle& style, std::string& out) {
  for (const std::string& line : wrap(printable(paragraph.text), style.width)) {
    out += toned(line, paragraph.tone, style) + "\n";
  }
}

void render(const Table& table, const TextStyle& style, std::string& out) {
  const std::vector<int> widths = column_widths(table, style.width);
  if (!table.title.empty()) {
    for (const std::string& title : wrap(printable(table.title), style.width)) {
      out += toned(title, Tone::kStrong, style) + "\n";
    }
  }
  const auto line = [&](auto&& cell_at) {
    std::string text;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) text += std::string(kGap, ' ');
      text += cell_at(i);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  const auto is_last = [&](std::size_t i) { return i + 1 == widths.size(); };
  const bool named = std::any_of(table.columns.begin(), table.columns.end(),
                                 [](const Column& column) { return !column.title.empty(); });
  if (named) {
    line([&](std::size_t i) {
      const Column& column = table.columns[i];
      return padded(column.title, Tone::kStrong, widths[i], column.align, is_last(i), style);
    });
  }
  for (const auto& row : table.rows) {
    line([&](std::size_t i) {
      const Cell cell = i < row.size() ? row[i] : Cell{};
      return padded(cell.text, cell.tone, widths[i], table.columns[i].align, is_last(i), style);
    });
  }
  for (const std::string& note : table.notes) {
    for (const std::string& text : wrap(printable(note), style.width)) {
      out += toned(text, Tone::kFaint, style) + "\n";
    }
  }
}

}  // namespace

std::string render_text(const Document& document, const TextStyle& style) {
  std::string out;
  for (const Block& block : document.blocks) {
    const bool after_heading = !out.empty() && &block != document.blocks.data() &&
                               std::holds_alternative<Heading>(*(&block - 1));
    if (!out.empty() && !after_heading) out += "\n";
    std::visit([&](const auto& part) { render(part, style, out); }, block);
  }
  return out;
}

}  // namespace uplift::report
