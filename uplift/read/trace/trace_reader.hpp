// SPDX-License-Identifier: Apache-2.0
// A whole trace into KinetoRecords: text is cut into runs, runs are parsed on several threads, the
// rest of the top level is looked through for the devices and the rank.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/read/byte_source.hpp"
#include "uplift/read/trace/event_splitter.hpp"
#include "uplift/read/trace/kineto_records.hpp"

#include <optional>
#include <string>

namespace uplift::read {

/// Fills `records` on up to `threads` threads; the outcome does not depend on their number. Returns
/// where the trace breaks off, if it does. Errors as split_trace.
[[nodiscard]] Result<std::optional<TraceBreak>> read_records(ByteSource& source,
                                                             const std::string& path,
                                                             unsigned threads,
                                                             KinetoRecords& records);

}  // namespace uplift::read
