// SPDX-License-Identifier: Apache-2.0
// How every stage answers the outside world: a value or an Error, never a throw. This is the only
// file that names tl::expected; std::expected has the same shape and can replace it in one line.
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace uplift {

/// What went wrong, coarse enough to map to an exit code (see exit_code()).
enum class ErrorKind {
  kIo,           ///< a file could not be opened, read or written
  kSyntax,       ///< the bytes are not what the format says
  kUnsupported,  ///< well-formed, but nothing uplift can answer from
  kNotFound,     ///< a name that is not in the catalog; missing files are kIo
  kDevice,       ///< no usable GPU, driver or library
  kUsage,        ///< the command line is wrong
};

/// One failure, told in one line: `where: seen; advice`.
struct Error {
  ErrorKind kind = ErrorKind::kIo;
  std::string where;   ///< file, or file:place; empty when there is no place
  std::string seen;    ///< what was seen
  std::string advice;  ///< what to do about it; may be empty

  /// The line a user reads, without the program's name in front.
  [[nodiscard]] std::string line() const {
    std::string text;
    if (!where.empty()) text += where + ": ";
    text += seen;
    if (!advice.empty()) text += "; " + advice;
    return text;
  }
};

/// A T or an Error. Functions that return it are marked [[nodiscard]].
template <class T>
using Result = tl::expected<T, Error>;

/// The failing side of a Result.
[[nodiscard]] inline tl::unexpected<Error> failure(ErrorKind kind, std::string where,
                                                   std::string seen, std::string advice = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(where), std::move(seen), std::move(advice)});
}

/// Hands an Error on unchanged to a caller with another value type.
[[nodiscard]] inline tl::unexpected<Error> failure(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

/// Process exit codes of the tool: 0 answered, 1 failed, 2 wrong usage, 3 no usable GPU.
[[nodiscard]] constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kIo:
    case ErrorKind::kSyntax:
    case ErrorKind::kUnsupported:
      return 1;
    case ErrorKind::kNotFound:
    case ErrorKind::kUsage:
      return 2;
    case ErrorKind::kDevice:
      return 3;
  }
  return 1;
}

}  // namespace uplift
