// SPDX-License-Identifier: Apache-2.0
// The target of `-o`: a regular file appears whole or not at all, by a temporary file in the same
// folder that is renamed at the end; a pipe, a terminal or /dev/stdout is written to as it is.
#pragma once

#include "uplift/core/result.hpp"

#include <string>
#include <string_view>

namespace uplift::cli {

class OutputFile {
 public:
  /// Opens what `path` names; `-` is stdout. Fails on a folder, on a file or folder that may not be
  /// written, and on a folder that is not there.
  [[nodiscard]] static Result<OutputFile> open(const std::string& path);

  /// Writes all of `text`.
  [[nodiscard]] Result<void> write(std::string_view text);
  /// Makes the file appear under its name. Without it the destructor removes what was written.
  [[nodiscard]] Result<void> commit();

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

 private:
  OutputFile(std::string shown, int fd) : shown_(std::move(shown)), fd_(fd) {}

  std::string shown_;      ///< as the user wrote it, for messages
  std::string target_;     ///< where the temporary file goes in the end
  std::string temporary_;  ///< empty: written in place
  int fd_ = -1;
};

/// Writes all of `text` to a descriptor. Returns 0 or an errno.
[[nodiscard]] int write_all(int fd, std::string_view text);

/// The error line for a failed write to `where`.
[[nodiscard]] Error write_error(std::string where, int error_number);

}  // namespace uplift::cli
