// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/time_spans.hpp"

#include <algorithm>

namespace uplift::predict {

Spans merged(Spans spans) {
  std::erase_if(spans, [](const Span& span) { return span.end <= span.start; });
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
  Spans set;
  for (const Span& span : spans) {
    if (set.empty() || span.start > set.back().end) {
      set.push_back(span);
    } else {
      set.back().end = std::max(set.back().end, span.end);
    }
  }
  return set;
}

Spans intersection(const Spans& a, const Spans& b) {
  Spans both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Span common{std::max(a[i].start, b[j].start), std::min(a[i].end, b[j].end)};
    if (common.start < common.end) both.push_back(common);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return both;
}

Spans complement(const Spans& set, Span whole) {
  Spans rest;
  std::int64_t at = whole.start;
  for (const Span& span : set) {
    if (span.start >= whole.end) break;
    if (span.start > at) rest.push_back({at, span.start});
    at = std::max(at, span.end);
  }
  if (at < whole.end) rest.push_back({at, whole.end});
  return rest;
}

std::int64_t total(const Spans& set) {
  std::int64_t sum = 0;
  for (const Span& span : set) sum += span.end - span.start;
  return sum;
}

std::int64_t covered(const Span& span, const Spans& set) {
  auto at = std::upper_bound(set.begin(), set.end(), span.start,
                             [](std::int64_t time, const Span& s) { return time < s.end; });
  std::int64_t sum = 0;
  for (; at != set.end() && at->start < span.end; ++at) {
    sum += std::min(span.end, at->end) - std::max(span.start, at->start);
  }
  return sum;
}

}  // namespace uplift::predict
