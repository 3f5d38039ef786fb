// SPDX-License-Identifier: Apache-2.0
// Timings of operations on named cards: an op table with the columns `gpu`, `seconds` and, if it
// likes, `timing` (`call`: of one eager call with its launch; `kernel`: without). docs/formats.md.
#pragma once

#include "uplift/core/op.hpp"
#include "uplift/core/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace uplift::read {

struct TimingRow {
  std::uint32_t gpu = 0;  ///< index into TimingTable::gpus
  Op op;
  double seconds = 0;
  bool with_launch = false;
};

struct TimingTable {
  std::vector<std::string> gpus;  ///< as the table writes them
  std::vector<TimingRow> rows;
  std::size_t unusable = 0;    ///< rows that say too little or nonsense
  std::string first_unusable;  ///< `LINE: why`, of the first such row
};

/// Errors: what OpTableReader says; a table without `gpu` or `seconds`; no usable row.
[[nodiscard]] Result<TimingTable> load_timings(const std::string& path);

}  // namespace uplift::read
