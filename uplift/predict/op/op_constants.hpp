// SPDX-License-Identifier: Apache-2.0
// The file data/model/operations.toml: what tools/calibrate learnt about every family of
// operations.
#pragma once

#include "uplift/core/result.hpp"
#include "uplift/predict/op/family_knowledge.hpp"
#include "uplift/predict/op/op_family.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace uplift::predict {

/// Accuracy of one family on cards that its fit had not seen, from the shape alone; n is 0 where
/// the timings of one card are all there is.
struct FamilyAccuracy {
  std::int64_t cards = 0;  ///< left out in turn
  double mean = 0;         ///< mean over them of the mean |predicted / measured - 1|
  double worst = 0;        ///< of the worst of them
  std::string worst_on;    ///< that card
  double coverage = 0;     ///< share of operations inside their 90 % interval
  double width = 0;        ///< median of high over low
};

struct FamilyRecord {
  FamilyKnowledge knowledge;
  std::array<FamilyAccuracy, 3> accuracy{};
  std::int64_t rows = 0;  ///< timings that the fit could draw on
};

class OpConstants {
 public:
  /// The built-in file. An Error here is a defect of the build; a test loads it.
  [[nodiscard]] static Result<OpConstants> load();
  /// The same, parsed once.
  [[nodiscard]] static const OpConstants& built_in();
  /// Every family required, every constant inside its range.
  [[nodiscard]] static Result<OpConstants> parse(std::string_view text, const std::string& name);

  [[nodiscard]] const FamilyRecord& of(const OpFamily& family) const;

 private:
  std::map<std::string, FamilyRecord, std::less<>> records_;
};

/// The text of the file; a family without a record is left out.
[[nodiscard]] std::string render_constants(
    const std::map<std::string, FamilyRecord, std::less<>>& records);

}  // namespace uplift::predict
