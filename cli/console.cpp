// SPDX-License-Identifier: Apache-2.0
// Where a command talks: the answer to stdout or to the file of -o, everything else to stderr.
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/output_file.hpp"
#include "uplift/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace uplift::cli {
namespace {

constexpr int kPipedWidth = 80;
constexpr int kLeastWidth = 40;  // narrower than this no table can be read anyway

void print_line(std::string_view prefix, std::string_view text) {
  print_to_stderr(std::string(prefix) + printable(text) + "\n");
}

}  // namespace

struct Console::PendingFile {
  OutputFile file;
};

Console::Console() = default;
Console::~Console() = default;

Result<void> Console::open_output() {
  if (options.output.empty() || pending_) return {};
  Result<OutputFile> file = OutputFile::open(options.output);
  if (!file) return failure(file.error());
  pending_ = std::make_unique<PendingFile>(PendingFile{std::move(*file)});
  return {};
}

Result<void> Console::write_part(std::string_view text) {
  if (options.output.empty()) return print_to_stdout(text);
  if (auto opened = open_output(); !opened) return opened;
  return pending_->file.write(text);
}

Result<void> Console::write_answer(std::string_view text) {
  auto written = write_part(text);
  if (!written || options.output.empty()) return written;
  return pending_->file.commit();
}

void Console::warn(std::string_view line) const {
  if (!options.quiet) print_line("uplift: warning: ", line);
}

void Console::explain(std::string_view line) const {
  if (options.verbose && !options.quiet) print_line("uplift: ", line);
}

void Console::show_progress(std::string_view what, std::uint64_t done, std::uint64_t total) {
  using namespace std::chrono_literals;
  constexpr auto kMoment = 500ms;
  constexpr auto kInterval = 100ms;
  if (options.quiet || ::isatty(STDERR_FILENO) == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (!progress_due_) progress_due_ = now + kMoment;
  if (now < *progress_due_) return;
  progress_due_ = now + kInterval;
  progress_shown_ = true;
  const std::string text = total == 0
                               ? std::string(what)
                               : fmt::format("{} {:.0f} %", what,
                                             100.0 * static_cast<double>(std::min(done, total)) /
                                                 static_cast<double>(total));
  print_to_stderr("\r" + text + "\x1b[K");
}

void Console::clear_progress() {
  if (std::exchange(progress_shown_, false)) print_to_stderr("\r\x1b[K");
  progress_due_.reset();
}

bool Console::color() const {
  if (options.no_color || !options.output.empty() || ::isatty(STDOUT_FILENO) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

int Console::width() const {
  winsize size = {};
  const bool terminal = options.output.empty() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  if (!terminal || size.ws_col == 0) return kPipedWidth;
  return std::max<int>(size.ws_col, kLeastWidth);
}

Result<void> print_to_stdout(std::string_view text) {
  const int error_number = write_all(STDOUT_FILENO, text);
  // `uplift … | head`: the reader has what it wanted.
  if (error_number == 0 || error_number == EPIPE) return {};
  return failure(write_error("stdout", error_number));
}

void print_to_stderr(std::string_view text) {
  [[maybe_unused]] const int lost = write_all(STDERR_FILENO, text);  // there is nobody left to tell
}

void print_error(const Error& error) { print_line("uplift: ", error.line()); }

}  // namespace uplift::cli
