// SPDX-License-Identifier: Apache-2.0
// uplift: parse the command line, run one subcommand, say in one line what went wrong. Everything
// else is in the library or in the subcommand's own file.
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/signals.hpp"

#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <new>
#include <unistd.h>

namespace {

using namespace uplift;

int run(int argc, char** argv) {
  cli::Console console;
  const Result<cli::Action> action = cli::parse_command_line(argc, argv, console);
  Result<void> done;
  if (!action) {
    done = failure(action.error());
  } else if (*action) {
    done = console.open_output();
    if (done) done = (*action)(console);
  }
  if (done) return EXIT_SUCCESS;
  cli::print_error(done.error());
  return exit_code(done.error().kind);
}

/// Says a fixed line without allocating, for when even that may fail.
template <std::size_t kSize>
int fail(const char (&line)[kSize]) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, kSize - 1);
  return EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    cli::prepare_process();
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail("uplift: out of memory; give it more, or a smaller input\n");
  } catch (const std::exception& error) {
    cli::print_error({ErrorKind::kIo, "", std::string("internal error: ") + error.what(),
                      "this is a bug: please report it with the command that you ran"});
    return EXIT_FAILURE;
  }
}
