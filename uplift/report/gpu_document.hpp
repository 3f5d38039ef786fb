// SPDX-License-Identifier: Apache-2.0
// The answers of `uplift gpus` and `uplift compare` as documents.
#pragma once

#include "uplift/report/document.hpp"
#include "uplift/report/gpu_comparison.hpp"

#include <span>

namespace uplift::report {

/// One line per board.
[[nodiscard]] Document gpu_list_document(std::span<const BoardView> boards);

/// Every number of one board with its source.
[[nodiscard]] Document gpu_document(const BoardView& board);

/// The same numbers as one table of SI values: the answer of `--format csv`.
[[nodiscard]] Document gpu_numbers_document(const BoardView& board);

/// Quantities down, boards across, ratios against the first.
[[nodiscard]] Document compare_document(std::span<const BoardView> boards);

}  // namespace uplift::report
