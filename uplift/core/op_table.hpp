// SPDX-License-Identifier: Apache-2.0
// The answer of `predict` as plain data: what one row of an op table asks and is told, and what all
// of them say together.
#pragma once

#include "uplift/core/kernel_class.hpp"
#include "uplift/core/tool_info.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uplift {

/// What is said of one row; of one call, with its 90 % interval.
struct OpPrediction {
  bool answered = false;
  double seconds = 0, low = 0, high = 0;
  Bound bound = Bound::kLaunch;
  std::string_view note;  ///< why there is no answer, or what to know of it
};

/// What one row asks, as it stands in the table.
struct OpQuestion {
  std::string_view name, kind, math, shape;
  std::int64_t count = 1;
  std::optional<double> source_seconds;
};

struct OpTableCard {
  std::string gpu;
  std::string basis;
};

/// What the rows say together; seconds of a row times its count.
struct OpTableSummary {
  ToolInfo tool;
  std::optional<OpTableCard> source;
  OpTableCard target;
  std::vector<std::string> notes;

  std::int64_t rows = 0;
  std::int64_t answered = 0;
  double target_seconds = 0;  ///< of the answered rows
  std::array<double, kBounds.size()> seconds_by_bound{};
  std::int64_t compared = 0;  ///< answered rows with a time on the source
  double source_seconds = 0, compared_target_seconds = 0;  ///< of those

  struct Row {
    std::string name, kind, math, shape;
    std::int64_t count = 1;
    std::optional<double> source_seconds;
    double seconds = 0, low = 0, high = 0;
    Bound bound = Bound::kLaunch;
    std::string note;
  };
  std::vector<Row> longest;  ///< by falling target seconds times count

  struct Refusal {
    std::string note;
    std::string first_row;  ///< the name of the first row with it
    std::int64_t rows = 0;
  };
  std::vector<Refusal> refusals;  ///< by falling rows
};

}  // namespace uplift
