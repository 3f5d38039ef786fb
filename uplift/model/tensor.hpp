// SPDX-License-Identifier: Apache-2.0
// The `tensor` term: how fast a card does arithmetic, by format, in the whole and per SM.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/math.hpp"
#include "uplift/core/quantity.hpp"
#include "uplift/model/basis.hpp"
#include "uplift/model/parameters.hpp"

#include <array>
#include <string>

namespace uplift::model {

/// What runs when a program asks for a format: the format itself, or what libraries do instead.
struct FormatChoice {
  Math math = Math::kFp32;  ///< what is executed
  bool substituted = false;
};

struct TensorCeilings {
  double sm_count = 0;
  Hertz clock;  ///< of the CUDA cores
  int threads_per_sm = 2048;
  int blocks_per_sm = 32;
  double registers_per_sm = 65536;
  double shared_bytes_per_sm = 0;
  /// Sustained rate of a large library GEMM asked for in each format, substitutions applied.
  std::array<FlopsPerSecond, kMaths.size()> sustained{};
  std::array<FormatChoice, kMaths.size()> choice{};
  /// Data-sheet peak of what runs when a format is asked for; 0: not stated.
  std::array<FlopsPerSecond, kMaths.size()> peak{};
  double board_watts = 0;  ///< 0: not in the catalog
  bool any_published = false;
};

/// Formulas: docs/method.md, section 3.1. Errors: the board lacks SM count, clock or FP32 peak.
[[nodiscard]] Result<TensorCeilings> estimate_tensor(const Gpu& gpu, Basis basis,
                                                     const Parameters& parameters);

}  // namespace uplift::model
