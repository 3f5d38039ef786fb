// SPDX-License-Identifier: Apache-2.0
// The time of single operations on another card: picks the formula, weighs the evidence, and says
// how sure it is. docs/operations.md, section 5.
#pragma once

#include "uplift/core/op.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/op/family_predictor.hpp"
#include "uplift/predict/op/op_constants.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace uplift::predict {

/// A card to predict from or for, with the operations that were timed on it, if any.
struct OpCardInput {
  const model::GpuModel* gpu = nullptr;
  std::span<const TimedOp> timed;  ///< kernels alone, without the launch
};

class OpPredictor {
 public:
  struct Answer {
    bool answered = false;
    double seconds = 0, low = 0, high = 0;  ///< low … high: 90 %
    double naive = 0;                       ///< source time x ratio of peaks or bandwidths; 0: none
    Bound bound = Bound::kLaunch;
    double l2_share = 0;         ///< on the target, of the operand traffic
    double source_l2_share = 0;  ///< likewise on the source; 0 without one
    double narrowing = 1;  ///< of ln high/low, by timed operations of the target (FamilyPredictor)
    std::string note;      ///< why there is no answer, or what to know of it; often empty
  };

  /// `source.gpu` may be nullptr: from shapes alone. Constants, models and timed operations must
  /// outlive the predictor.
  OpPredictor(const OpConstants& constants, const OpCardInput& source, const OpCardInput& target);

  /// The same source, with what it has learnt, for another target.
  [[nodiscard]] OpPredictor with_target(const OpCardInput& target) const;

  /// What times on the source say together: how far its ceilings are from its basis, and what each
  /// call paid besides its kernel. `with_launch`: calls may have been timed with their launch,
  /// which is then the same on the target.
  void learn(std::span<const TimedOp> timed, bool with_launch);

  [[nodiscard]] Answer predict(const Op& op, std::optional<double> source_seconds) const;

  /// s that timed calls of the source seem to pay besides their kernel, the median of families; 0:
  /// none, or not known.
  [[nodiscard]] double overhead() const { return overhead_; }

 private:
  /// One card with a predictor for each family, in the order of op_families().
  struct Side {
    const model::GpuModel* gpu = nullptr;
    std::vector<std::shared_ptr<const FamilyPredictor>> families;
  };
  [[nodiscard]] Side build_side(const OpCardInput& input) const;
  void set_target(const OpCardInput& target);
  [[nodiscard]] double overhead_of(const OpFamily& family) const;

  const OpConstants* constants_;
  OpCardInput target_input_;
  Side plain_source_;  ///< as its basis has it
  Side source_;        ///< with what its times say
  Side target_;
  std::vector<std::optional<double>> overheads_;  ///< s, by family; empty: its times were too few
  double overhead_ = 0;                           ///< s, of families without times: the median
  bool same_kernels_ = false;
  double doubt_ = 1;  ///< factor on half-widths for cards unlike all that were fitted
};

}  // namespace uplift::predict
