// SPDX-License-Identifier: Apache-2.0
// Adds up the rows of an op table as they are predicted, in memory that does not grow with them.
#pragma once

#include "uplift/core/op_table.hpp"

#include <cstddef>

namespace uplift::decide {

class OpTableTotals {
 public:
  /// Keeps the `longest` rows that take the most time on the target.
  explicit OpTableTotals(std::size_t longest) : most_(longest) {}

  void add(const OpQuestion& question, const OpPrediction& prediction);

  /// What was added, put into order; once, at the end. Cards, notes and tool are the caller's.
  [[nodiscard]] OpTableSummary finish();

 private:
  void refuse(const OpQuestion& question, std::string_view note);

  std::size_t most_;
  OpTableSummary summary_;
};

}  // namespace uplift::decide
