// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/op_table/table_input.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace uplift::read {
namespace {

[[nodiscard]] tl::unexpected<Error> system_failure(const std::string& name, std::string_view what,
                                                   int error_number) {
  return failure(ErrorKind::kIo, name, fmt::format("{}: {}", what, std::strerror(error_number)),
                 error_number == ENOENT ? "check the path" : "");
}

/// Copies what is left of `from` to `to`. Returns the number of bytes, more than `most` if there
/// are more.
[[nodiscard]] Result<std::uint64_t> copy_bytes(int from, int to, std::uint64_t most,
                                               const std::string& name) {
  std::vector<char> piece(std::size_t{256} << 10);
  std::uint64_t copied = 0;
  while (copied <= most) {
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure(name, "cannot be read", errno);
    if (got == 0) break;
    for (ssize_t done = 0; done < got;) {
      const ssize_t wrote = ::write(to, piece.data() + done, static_cast<std::size_t>(got - done));
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) return system_failure(name, "cannot be kept in memory", errno);
      done += wrote;
    }
    copied += static_cast<std::uint64_t>(got);
  }
  return copied;
}

}  // namespace

Result<TableInput> TableInput::open(const std::string& path, std::uint64_t most_kept) {
  const bool standard = path == "-";
  TableInput input(path, standard ? "stdin" : path);
  struct stat status {};
  if (!standard) {
    if (::stat(path.c_str(), &status) != 0) {
      return system_failure(input.name_, "cannot be opened", errno);
    }
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return input;
  }
  const int from = standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                            : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) return system_failure(input.name_, "cannot be opened", errno);
  input.kept_ = ::memfd_create("table", MFD_CLOEXEC);
  if (input.kept_ < 0) {
    const int error_number = errno;
    ::close(from);
    return system_failure(input.name_, "cannot be kept in memory", error_number);
  }
  const auto copied = copy_bytes(from, input.kept_, most_kept, input.name_);
  ::close(from);
  if (!copied) return failure(copied.error());
  if (*copied > most_kept) {
    return failure(ErrorKind::kIo, input.name_,
                   fmt::format("more than {} MiB, and a table is read twice", most_kept >> 20U),
                   "write it to a file and give that");
  }
  return input;
}

Result<std::unique_ptr<ByteSource>> TableInput::start() const {
  if (kept_ < 0) return open_byte_source(path_, InputKind::kTable);
  const int again = ::fcntl(kept_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (again < 0) return system_failure(name_, "cannot be opened", errno);
  ::lseek(again, 0, SEEK_SET);  // shared with kept_, which nobody reads meanwhile
  return open_byte_source(again, name_, InputKind::kTable);
}

TableInput::TableInput(TableInput&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::move(other.name_)),
      kept_(std::exchange(other.kept_, -1)) {}

TableInput::~TableInput() {
  if (kept_ >= 0) ::close(kept_);
}

}  // namespace uplift::read
