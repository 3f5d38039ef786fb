// SPDX-License-Identifier: Apache-2.0
// What a subcommand is: a row in the table of commands.cpp, with a function that declares its
// options and the action to run once the command line is parsed.
#pragma once

#include "uplift/core/result.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace uplift::cli {

enum class Format { kText, kJson, kCsv, kMarkdown };

/// Options that every command takes.
struct CommonOptions {
  Format format = Format::kText;
  bool format_chosen = false;  ///< by --format; otherwise a command may prefer another one
  std::string output;          ///< -o FILE; empty: stdout
  bool quiet = false;
  bool verbose = false;
  bool no_color = false;  ///< --no-color or NO_COLOR
  bool keep_paths = false;
  std::uint64_t seed = 1;
};

/// What an action works with: the options, and where answer, warnings and progress go.
class Console {
 public:
  CommonOptions options;

  /// Opens a temporary file beside `-o FILE`, so that a bad path fails before long work and the
  /// file appears whole or not at all. main() has done it before an action runs; again does
  /// nothing.
  [[nodiscard]] Result<void> open_output();
  /// Writes the whole answer, or what is left of it, to stdout or to the file of open_output(), and
  /// renames that into place.
  [[nodiscard]] Result<void> write_answer(std::string_view text);
  /// Writes a part of a long answer; write_answer() ends it.
  [[nodiscard]] Result<void> write_part(std::string_view text);
  /// One line on stderr, `uplift: warning: …`, unless --quiet.
  void warn(std::string_view line) const;
  /// One line on stderr about how the answer comes about, `uplift: …`, with --verbose only.
  void explain(std::string_view line) const;
  /// How far something has come, on one line of stderr that is written over: only on a terminal,
  /// without --quiet, and only for what takes longer than a moment. `done` of `total`, in the same
  /// unit; a total of 0 is unknown. clear_progress() takes the line away.
  void show_progress(std::string_view what, std::uint64_t done, std::uint64_t total);
  void clear_progress();
  /// Colour for stdout: a terminal, no --no-color, no NO_COLOR, no -o.
  [[nodiscard]] bool color() const;
  /// Columns of the terminal on stdout; 80 when piped.
  [[nodiscard]] int width() const;
  Console();
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

 private:
  struct PendingFile;
  std::unique_ptr<PendingFile> pending_;
  std::optional<std::chrono::steady_clock::time_point> progress_due_;
  bool progress_shown_ = false;
};

using Action = std::function<Result<void>(Console&)>;

/// One row of the table of subcommands.
struct Command {
  std::string_view name;
  std::string_view help;  ///< one line
  /// Declares options and returns what to run. The CLI::App is gone when the action runs, so the
  /// values that the options are bound to belong to the action: a shared_ptr that it captures.
  Action (*declare)(CLI::App& subcommand);
};

/// The table, in the order of `uplift --help` (commands.cpp).
[[nodiscard]] std::span<const Command> commands();

// One file each.
Action declare_advise(CLI::App& app);
Action declare_inspect(CLI::App& app);
Action declare_predict(CLI::App& app);
Action declare_gpus(CLI::App& app);
Action declare_compare(CLI::App& app);
Action declare_validate(CLI::App& app);

}  // namespace uplift::cli
