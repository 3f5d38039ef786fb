// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/validation_document.hpp"

#include "uplift/report/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace uplift::report {
namespace {

Cell percent(double share) {
  return {fmt::format("{:.1f} %", 100.0 * share), Tone::kPlain, format_raw(share)};
}

Cell count(std::size_t n) {
  return {format_count(static_cast<std::int64_t>(n)), Tone::kPlain, std::to_string(n)};
}

Cell width(double high_over_low) {
  return {fmt::format("{:.2f}", high_over_low), Tone::kPlain, format_raw(high_over_low)};
}

/// A 90 % interval that holds far less or far more is no 90 % interval.
Cell coverage(double share) {
  Cell cell = percent(share);
  if (share < 0.80) cell.tone = Tone::kWarning;
  return cell;
}

Table summary_table(const std::vector<ErrorSummary>& summaries, bool from_source) {
  Table table;
  table.title = from_source ? "Source time known, other cards to the card left out"
                            : "From the shape alone, each card left out in turn";
  table.columns = {{"Operations", "family", Align::kLeft},
                   {"Basis", "basis", Align::kLeft},
                   {"Cards", "cards"},
                   {"n", "n"},
                   {"Mean error", "mean_error"},
                   {"Worst card", "worst_card_error"},
                   {"", "worst_card", Align::kLeft, true},
                   {"In 90 %", "coverage"},
                   {"High/low", "high_over_low"}};
  for (const ErrorSummary& one : summaries) {
    if (one.from_source != from_source) continue;
    table.rows.push_back({{one.family},
                          {one.basis},
                          count(one.targets),
                          count(one.n),
                          percent(one.mean),
                          percent(one.worst),
                          {one.worst_on},
                          coverage(one.coverage),
                          width(one.width)});
  }
  return table;
}

Table row_table(const std::vector<ErrorRow>& rows, const std::string& family) {
  Table table;
  table.title = family;
  table.columns = {{"From", "source", Align::kLeft, true},
                   {"To", "target", Align::kLeft, true},
                   {"Basis", "basis", Align::kLeft},
                   {"n", "n"},
                   {"Mean", "mean_error"},
                   {"Median", "median_error"},
                   {"Bias", "bias"},
                   {"Worst", "worst_error"},
                   {"In 90 %", "coverage"},
                   {"High/low", "high_over_low"},
                   {"Constant", "constant_ratio_error"},
                   {"Bandwidth", "bandwidth_ratio_error"},
                   {"Peak", "peak_ratio_error"},
                   {"Roofline", "roofline_ratio_error"}};
  for (const ErrorRow& row : rows) {
    if (row.family != family) continue;
    const bool paired = !row.source.empty();
    const auto rival = [&](double share) {
      return paired ? percent(share) : Cell{std::string(kUnknown), Tone::kFaint, ""};
    };
    table.rows.push_back({{paired ? row.source : "shape"},
                          {row.target},
                          {row.basis},
                          count(row.errors.n),
                          percent(row.errors.mean),
                          percent(row.errors.median),
                          {fmt::format("{:+.1f} %", 100.0 * row.errors.bias), Tone::kPlain,
                           format_raw(row.errors.bias)},
                          percent(row.errors.worst),
                          coverage(row.errors.coverage),
                          width(row.errors.width),
                          rival(row.rivals.constant),
                          rival(row.rivals.bandwidth),
                          rival(row.rivals.peak),
                          rival(row.rivals.roofline)});
  }
  return table;
}

}  // namespace

Document validation_document(const Validation& validation, bool pairs) {
  Document document;
  document.blocks.push_back(Paragraph{
      validation.recomputed
          ? "Errors |predicted / measured - 1| on cards that the constants had not seen, "
            "recomputed "
            "on the given timings."
          : "Errors |predicted / measured - 1| on cards that the constants had not seen, as found "
            "when the constants were fitted. Give a table of timings to recompute them."});
  for (const bool from_source : {false, true}) {
    Table table = summary_table(validation.summaries, from_source);
    if (!table.rows.empty()) document.blocks.push_back(std::move(table));
  }
  if (pairs) {
    std::vector<std::string> families;
    for (const ErrorRow& row : validation.rows) {
      if (std::find(families.begin(), families.end(), row.family) == families.end()) {
        families.push_back(row.family);
      }
    }
    for (const std::string& family : families) {
      document.blocks.push_back(row_table(validation.rows, family));
    }
  }
  for (const std::string& note : validation.notes) document.blocks.push_back(Paragraph{note});
  return document;
}

}  // namespace uplift::report
