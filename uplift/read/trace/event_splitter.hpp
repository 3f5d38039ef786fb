// SPDX-License-Identifier: Apache-2.0
// Cuts a Chrome-format trace into runs of whole events without parsing them. It follows only
// strings and brackets, 64 bytes at a time, so that a trace of any size passes through one window
// of memory. What an event means is not its business (kineto_events.hpp).
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/read/byte_source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace uplift::read {

/// Receives the pieces of a trace in file order.
class TraceSink {
 public:
  virtual ~TraceSink() = default;

  /// `text` holds one or more whole events separated by commas, without the array's brackets. The
  /// bytes before and after it belong to the splitter but may be overwritten, one before and
  /// kPaddingBytes after; `text` itself may be changed too. `offset` is its place in the
  /// (decompressed) file, for error lines.
  [[nodiscard]] virtual Result<void> events(char* text, std::size_t length,
                                            std::uint64_t offset) = 0;

  /// A member of the top-level object other than traceEvents, as JSON text; values over
  /// kMemberBytes are passed over.
  [[nodiscard]] virtual Result<void> member(std::string_view key, std::string_view value) = 0;
};

inline constexpr std::size_t kPaddingBytes = 128;
inline constexpr std::size_t kMemberBytes = std::size_t{1} << 20;
/// One event larger than this is not a profiler's: the file is refused.
inline constexpr std::size_t kEventBytesLimit = std::size_t{64} << 20;

/// Runs a whole trace through `sink`. `path` is for error lines only. Errors: no traceEvents array,
/// not JSON, cut off, an event over kEventBytesLimit; and whatever source and sink report.
[[nodiscard]] Result<void> split_trace(ByteSource& source, const std::string& path,
                                       TraceSink& sink);

}  // namespace uplift::read
