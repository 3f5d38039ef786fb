// SPDX-License-Identifier: Apache-2.0
// The answer of `predict` for people: the totals, the rows that take the most time, and why others
// have no answer.
#pragma once

#include "uplift/core/op_table.hpp"
#include "uplift/report/document.hpp"

namespace uplift::report {

[[nodiscard]] Document op_table_document(const OpTableSummary& summary);

}  // namespace uplift::report
