// SPDX-License-Identifier: Apache-2.0
// Handlers only call what signal-safety(7) allows: unlink, sigaction and raise.
#include "cli/signals.hpp"

#include <climits>

#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace uplift::cli {
namespace {

// A handler takes no argument of ours, so what it removes has to be global.
std::array<char, PATH_MAX> pending_path;         // NOLINT(*-avoid-non-const-global-variables)
volatile std::sig_atomic_t path_is_pending = 0;  // NOLINT(*-avoid-non-const-global-variables)

void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

void remove_and_die(int signal) {
  if (path_is_pending != 0) ::unlink(pending_path.data());
  raise(signal);  // SA_RESETHAND has put the default action back
}

}  // namespace

void prepare_process() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() returns the lowest free number, which is the closed one. Read-only: writes fail.
    if (::fcntl(standard, F_GETFD) == -1) [[maybe_unused]]
      const int fd = ::open("/dev/null", O_RDONLY);
  }
  // A handler and not SIG_IGN, which a program that we start would inherit.
  const auto nothing = [](int) {};
  install(SIGPIPE, nothing, SA_RESTART);
  install(SIGXFSZ, nothing, SA_RESTART);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited = {};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) install(signal, remove_and_die, SA_RESETHAND);  // nohup
  }
}

void remove_on_signal(const std::string& path) {
  keep_on_signal();
  if (path.size() >= pending_path.size()) return;  // longer than the kernel can open
  std::memcpy(pending_path.data(), path.c_str(), path.size() + 1);
  path_is_pending = 1;
}

void keep_on_signal() { path_is_pending = 0; }

}  // namespace uplift::cli
