// SPDX-License-Identifier: Apache-2.0
// Sets of moments: half-open spans in ns, disjoint and in order. All operations are linear but the
// sort in merged().
#pragma once

#include <cstdint>
#include <vector>

namespace uplift::predict {

struct Span {
  std::int64_t start = 0;
  std::int64_t end = 0;
};
using Spans = std::vector<Span>;

/// Any spans as a set; empty and backward ones are left out.
[[nodiscard]] Spans merged(Spans spans);

/// The moments in both sets.
[[nodiscard]] Spans intersection(const Spans& a, const Spans& b);

/// The moments of `whole` that are not in `set`.
[[nodiscard]] Spans complement(const Spans& set, Span whole);

/// ns in the set.
[[nodiscard]] std::int64_t total(const Spans& set);

/// ns of `span` that are in the set; logarithmic, plus the spans touched.
[[nodiscard]] std::int64_t covered(const Span& span, const Spans& set);

}  // namespace uplift::predict
