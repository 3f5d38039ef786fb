// SPDX-License-Identifier: Apache-2.0
// Opening, writing and renaming with POSIX calls: iostreams cannot create exclusively, flush to
// disk or say why they failed.
#include "cli/output_file.hpp"

#include "cli/signals.hpp"

#include <climits>

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace uplift::cli {
namespace {

constexpr int kMaxSymlinks = 40;  // as the kernel's own limit, path_resolution(7)
constexpr int kMaxTemporaries = 1000;

std::string reason(int error_number) { return std::generic_category().message(error_number); }

/// The descriptor behind `/dev/stdout`, `/dev/fd/3` and the like. Opening those by name would start
/// at the front of a file that the shell opened to append to.
std::optional<int> inherited_descriptor(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    path.remove_prefix(folder.size());
    int number = -1;
    const auto [end, error] = std::from_chars(path.begin(), path.end(), number);
    if (error == std::errc() && end == path.end()) return number;
  }
  return std::nullopt;
}

/// The folder part of a path, with its slash; empty for the current folder.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// Follows the links at the end of `path`, so that `-o link` replaces the file, not the link.
std::string follow_links(std::string path) {
  for (int i = 0; i < kMaxSymlinks && !inherited_descriptor(path); ++i) {
    std::string link(PATH_MAX, '\0');
    const ssize_t length = ::readlink(path.c_str(), link.data(), link.size());
    if (length < 0) break;
    link.resize(static_cast<std::size_t>(length));
    path = link.starts_with('/') ? link : folder_of(path).append(link);
  }
  return path;
}

Error open_error(const std::string& shown, int error_number) {
  std::string advice = "choose another file with -o";
  if (error_number == ENOENT) advice = "create the folder first, or choose another with -o";
  return {ErrorKind::kIo, shown, "cannot create it: " + reason(error_number), advice};
}

}  // namespace

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // a pipe that someone made non-blocking
      pollfd ready = {fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

Error write_error(std::string where, int error_number) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
  return {ErrorKind::kIo, std::move(where), "cannot write: " + reason(error_number),
          full ? "make room, or write elsewhere with -o" : "write elsewhere with -o"};
}

Result<OutputFile> OutputFile::open(const std::string& path) {
  const std::string target = follow_links(path);
  if (const auto number = inherited_descriptor(target)) {
    const int fd = ::fcntl(*number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd < 0) return failure(open_error(path, errno));
    return OutputFile(path, fd);
  }

  struct stat status = {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    return failure(ErrorKind::kIo, path, "is a folder", "give -o the name of a file");
  }
  if (exists && S_ISBLK(status.st_mode)) {
    return failure(ErrorKind::kIo, path, "is a disk", "give -o the name of a file");
  }
  if (exists && !S_ISREG(status.st_mode)) {  // a pipe, a terminal, /dev/null
    const int fd = ::open(target.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return failure(open_error(path, errno));
    return OutputFile(path, fd);
  }
  if (exists && ::access(target.c_str(), W_OK) != 0) return failure(open_error(path, errno));

  for (int i = 0; i < kMaxTemporaries; ++i) {
    const std::string temporary =
        folder_of(target) + ".uplift-" + std::to_string(::getpid()) + "-" + std::to_string(i);
    remove_on_signal(temporary);
    // Mode 0666 and the umask, as for any new file; an existing one keeps its own mode.
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      if (exists) [[maybe_unused]]
        const int kept = ::fchmod(fd, status.st_mode & 07777);
      OutputFile file(path, fd);
      file.target_ = target;
      file.temporary_ = temporary;
      return file;
    }
    const int error_number = errno;
    keep_on_signal();
    if (error_number != EEXIST) return failure(open_error(path, error_number));
  }
  return failure(open_error(path, EEXIST));
}

Result<void> OutputFile::write(std::string_view text) {
  const int error_number = write_all(fd_, text);
  // `uplift … | head`: the reader of the pipe has what it wanted.
  if (error_number == 0 || error_number == EPIPE) return {};
  return failure(write_error(shown_, error_number));
}

Result<void> OutputFile::commit() {
  // Some filesystems find out that the disk is full only here. Pipes and terminals have no fsync.
  if (!temporary_.empty() && ::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) {
    return failure(write_error(shown_, errno));
  }
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0 && errno != EINTR) return failure(write_error(shown_, errno));
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    return failure(write_error(shown_, errno));
  }
  temporary_.clear();
  keep_on_signal();
  return {};
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : shown_(std::move(other.shown_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  keep_on_signal();
}

}  // namespace uplift::cli
