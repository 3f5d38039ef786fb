// SPDX-License-Identifier: Apache-2.0
// The schema uplift.predict/1 (docs/formats.md), written row by row.
#pragma once

#include "uplift/core/op_table.hpp"

#include <string>

namespace uplift::report {

/// Everything up to the list of rows: tool, cards and notes of `summary`.
[[nodiscard]] std::string op_table_json_begin(const OpTableSummary& summary);
/// One row of the list; `first`: no comma before it.
void append_op_json(std::string& out, const OpQuestion& question, const OpPrediction& prediction,
                    bool first);
/// The end of the list, and the totals.
[[nodiscard]] std::string op_table_json_end(const OpTableSummary& summary);

}  // namespace uplift::report
