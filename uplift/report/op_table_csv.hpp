// SPDX-License-Identifier: Apache-2.0
// An op table with its answers: the rows as they stand, with five columns added.
#pragma once

#include "uplift/core/op_table.hpp"

#include <array>
#include <string>
#include <string_view>

namespace uplift::report {

inline constexpr std::array<std::string_view, 5> kAnswerColumns = {"target_seconds", "low_seconds",
                                                                   "high_seconds", "bound", "note"};

/// `raw` is the header as it stands, without its line end.
void append_answer_header(std::string& out, std::string_view raw, std::string_view line_end);

/// `raw` is a row as it stands, without its line end; `missing` how many fields it has fewer than
/// the header.
void append_answer_row(std::string& out, std::string_view raw, std::size_t missing,
                       const OpPrediction& prediction, std::string_view line_end);

/// `seconds` with six significant digits.
void append_seconds(std::string& out, double seconds);

}  // namespace uplift::report
