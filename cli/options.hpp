// SPDX-License-Identifier: Apache-2.0
// From argv to something to run: the options that every command takes, the table of commands, help
// and version, and wrong usage told in one line.
#pragma once

#include "cli/command.hpp"
#include "uplift/core/result.hpp"

#include <string_view>

namespace uplift::cli {

/// Fills `console.options` and returns what to run; an empty action when --help or --version has
/// been answered. Wrong usage is an Error of kind kUsage.
[[nodiscard]] Result<Action> parse_command_line(int argc, char** argv, Console& console);

/// A reader that went away is no error.
[[nodiscard]] Result<void> print_to_stdout(std::string_view text);
void print_to_stderr(std::string_view text);

/// One line on stderr: `uplift: where: seen; advice`, with nothing in it that drives a terminal.
void print_error(const Error& error);

}  // namespace uplift::cli
