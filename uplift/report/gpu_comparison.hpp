// SPDX-License-Identifier: Apache-2.0
// Boards side by side, as both the table and the JSON of `uplift compare` show them: ratios against
// the first board, what got worse, and which tensor-core formats come and go.
#pragma once

#include "uplift/core/format_support.hpp"
#include "uplift/core/gpu.hpp"
#include "uplift/core/gpu_fields.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace uplift::report {

/// A board together with the formats of its compute capability (nullptr: not known).
struct BoardView {
  const Gpu* gpu = nullptr;
  const CapabilityFormats* formats = nullptr;
};

enum class Presence {
  kKnown,    ///< there is a number
  kUnknown,  ///< there may be such a thing, the catalog does not say
  kAbsent,   ///< the board has no such thing: no tensor path for the format, no NVLink
};

struct ComparisonCell {
  Presence presence = Presence::kUnknown;
  double value = 0.0;           ///< SI, when known
  std::optional<double> ratio;  ///< to the first board, when both are known
  bool downgrade = false;       ///< worse than the first board, or gone
};

struct ComparisonRow {
  const GpuField* field = nullptr;
  std::vector<ComparisonCell> cells;  ///< one per board
};

/// Tensor-core formats of a board that the first one lacks, and the other way round.
struct FormatChange {
  std::vector<std::string> gained;
  std::vector<std::string> lost;
};

struct Comparison {
  std::vector<ComparisonRow> rows;    ///< without the rows that no board has a number for
  std::vector<FormatChange> formats;  ///< one per board; empty for the first
};

/// Whether the board has the thing behind a field at all.
[[nodiscard]] Presence presence(const GpuField& field, const BoardView& board);

[[nodiscard]] Comparison compare_boards(std::span<const BoardView> boards);

}  // namespace uplift::report
