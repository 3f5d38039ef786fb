// SPDX-License-Identifier: Apache-2.0
// Cuts a Chrome-format trace into runs of whole events without parsing them. It follows only
// strings and brackets, 64 bytes at a time, so that a trace of any size passes through one window
// of memory. What an event means is not its business (event_parser.hpp).
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/read/byte_source.hpp"
#include "uplift/read/trace/event_run.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace uplift::read {

/// Receives the pieces of a trace in file order.
class TraceSink {
 public:
  virtual ~TraceSink() = default;

  /// One or more whole events separated by commas, without the array's brackets.
  [[nodiscard]] virtual Result<void> events(EventRun run) = 0;

  /// A buffer of an earlier run that is no longer needed, or an empty one.
  [[nodiscard]] virtual TextBuffer spare() { return {}; }

  /// A member of the top-level object other than traceEvents, as JSON text; values over
  /// kMemberBytes are passed over.
  [[nodiscard]] virtual Result<void> member(std::string_view key, std::string_view value) = 0;
};

inline constexpr std::size_t kMemberBytes = std::size_t{1} << 20;
/// One event larger than this is not a profiler's: the text counts as broken off before it.
inline constexpr std::size_t kEventBytesLimit = std::size_t{16} << 20;

/// Where a trace's text breaks off before its proper end, and what was seen there.
struct TraceBreak {
  std::uint64_t offset = 0;   ///< byte of the decompressed text
  bool events_whole = false;  ///< the list of events ended before
  Error error;
};

/// Runs a trace through `sink`. `path` is for error lines only. Returns where the text breaks off,
/// if it does; the events before that were handed over. Errors: no traceEvents array was reached,
/// not JSON; and whatever source and sink report.
[[nodiscard]] Result<std::optional<TraceBreak>> split_trace(ByteSource& source,
                                                            const std::string& path,
                                                            TraceSink& sink);

}  // namespace uplift::read
