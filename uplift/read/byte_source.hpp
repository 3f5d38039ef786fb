// SPDX-License-Identifier: Apache-2.0
// The bytes of a file, in order, decompressed as they are read: plain, gzip (several members too)
// or zstd, told by content. Memory is a few buffers, whatever the size of the file.
#pragma once

#include "uplift/core/result.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace uplift::read {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills the front of `out` and returns how many bytes; 0 means the end. A cut or damaged stream
  /// is an Error (kSyntax) that names the file and the place in the compressed file; what came out
  /// before it was handed over first.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> out) = 0;

  /// Bytes of the file itself taken so far, for progress; the size may be 0 for a pipe.
  [[nodiscard]] virtual std::uint64_t file_position() const = 0;
  [[nodiscard]] virtual std::uint64_t file_size() const = 0;
};

/// What a file is read as; error lines say it.
enum class InputKind { kRecording, kTable, kProfile };

/// Opens a file for reading. Errors: not there, no permission, a directory, empty.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_byte_source(
    const std::string& path, InputKind kind = InputKind::kRecording);

/// The same over an open descriptor, which the source takes; `name` is for error lines.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_byte_source(int descriptor, std::string name,
                                                                   InputKind kind);

}  // namespace uplift::read
