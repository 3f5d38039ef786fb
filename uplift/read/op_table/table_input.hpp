// SPDX-License-Identifier: Apache-2.0
// A table that can be read more than once: a file, or standard input or a pipe kept in memory.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/read/byte_source.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace uplift::read {

class TableInput {
 public:
  static constexpr std::uint64_t kMostKept = std::uint64_t{1} << 30;

  /// `-` is standard input. What cannot be read twice is read whole, as it comes (a compressed one
  /// stays so). Errors: not there, no permission, a pipe of more than `most_kept` bytes.
  [[nodiscard]] static Result<TableInput> open(const std::string& path,
                                               std::uint64_t most_kept = kMostKept);

  /// The bytes from the beginning, decompressed.
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> start() const;
  /// What error lines call it.
  [[nodiscard]] const std::string& name() const { return name_; }

  TableInput(TableInput&& other) noexcept;
  TableInput& operator=(TableInput&&) = delete;
  TableInput(const TableInput&) = delete;
  TableInput& operator=(const TableInput&) = delete;
  ~TableInput();

 private:
  TableInput(std::string path, std::string name) : path_(std::move(path)), name_(std::move(name)) {}

  std::string path_;
  std::string name_;
  int kept_ = -1;  ///< a file in memory; -1: the path itself can be read again
};

}  // namespace uplift::read
