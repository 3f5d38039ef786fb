// SPDX-License-Identifier: Apache-2.0
// How far predictions of single operations are off, as `uplift validate` answers.
#pragma once

#include "uplift/core/tool_info.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace uplift {

/// Relative errors |predicted / measured - 1| of the predictions of one card.
struct ErrorStatistics {
  std::size_t n = 0;
  double mean = 0, median = 0, p90 = 0, worst = 0;
  double bias = 0;      ///< geometric mean of predicted over measured, minus 1
  double coverage = 0;  ///< share inside the 90 % interval
  double width = 0;     ///< median of high over low
};

/// Mean errors of ratios that need no model; 0 where there is no source time.
struct RivalErrors {
  double constant = 0;   ///< the pair's own median ratio, which nobody knows beforehand
  double bandwidth = 0;  ///< DRAM bandwidth
  double peak = 0;       ///< arithmetic in the operation's format
  double roofline = 0;   ///< the larger of FLOPs over peak and bytes over bandwidth
};

struct ErrorRow {
  std::string family;
  std::string basis;  ///< datasheet, published or measured
  std::string target;
  std::string source;  ///< empty: predicted from the shape alone
  ErrorStatistics errors;
  RivalErrors rivals;
};

/// Means over the targets (and sources) of one family on one basis.
struct ErrorSummary {
  std::string family;
  std::string basis;
  bool from_source = false;  ///< the source's time was known
  std::size_t targets = 0;
  std::size_t n = 0;
  double mean = 0;
  double worst = 0;      ///< of the worst target
  std::string worst_on;  ///< that target
  double coverage = 0;
  double width = 0;
};

struct Validation {
  bool recomputed = false;  ///< false: the figures that came with the constants
  std::vector<ErrorSummary> summaries;
  std::vector<ErrorRow> rows;
  std::vector<std::string> notes;  ///< what could not be scored, and why
};

}  // namespace uplift
