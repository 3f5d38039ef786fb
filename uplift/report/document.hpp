// SPDX-License-Identifier: Apache-2.0
// What an answer looks like before it becomes text: headings, sentences and tables. A command's
// answer is built once as a Document and rendered by text.hpp, markdown.hpp or csv.hpp; JSON has
// its own shape (see *_json.hpp) because scripts rely on its keys, not on its looks.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace uplift::report {

/// Meaning, not colour: the terminal maps it to colour, other renderers ignore it.
enum class Tone { kPlain, kStrong, kGood, kBad, kWarning, kFaint };

struct Cell {
  std::string text;  ///< for people: three significant digits and a unit
  Tone tone = Tone::kPlain;
  std::string raw = {};  ///< for CSV: the SI value; empty means `text`
};

enum class Align { kLeft, kRight };

struct Column {
  std::string title;  ///< as printed
  std::string key;    ///< CSV header, ends in its unit: `target_seconds`
  Align align = Align::kRight;
  bool shrinks = false;  ///< may be cut with `…` to fit the terminal's width
};

struct Table {
  std::string title;  ///< empty: none
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes = {};  ///< footnotes, printed below
};

struct Heading {
  std::string text;
};

/// One sentence or more; wrapped to the width of the terminal.
struct Paragraph {
  std::string text;
  Tone tone = Tone::kPlain;
};

using Block = std::variant<Heading, Paragraph, Table>;

struct Document {
  std::vector<Block> blocks;
};

/// UTF-8, wrapped to `width` columns; ANSI colours only if `color`.
struct TextStyle {
  bool color = false;
  int width = 80;
};
[[nodiscard]] std::string render_text(const Document& document, const TextStyle& style);
[[nodiscard]] std::string render_markdown(const Document& document);
/// The tables of the document, RFC 4180; several tables are separated by one empty line.
[[nodiscard]] std::string render_csv(const Document& document);

}  // namespace uplift::report
