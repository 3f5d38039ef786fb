// SPDX-License-Identifier: Apache-2.0
// The operations that share one formula and its constants, seen from outside: what a fit and a
// table of accuracies need to treat all formulas alike.
#pragma once

#include "uplift/core/op.hpp"
#include "uplift/predict/op/op_card.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace uplift::predict {

/// One constant of a formula.
template <class Parameters>
struct ParameterKey {
  std::string_view name;  ///< its key in data/model/operations.toml
  double Parameters::*member;
  double low, high;  ///< where a fit may go; low > 0: it moves in the logarithm
};

struct ParameterRange {
  std::string_view name;
  double start, low, high;
};

/// Where an operation lies among the operations of its family, as logarithms: near points have
/// alike deviations from the formula.
inline constexpr std::size_t kFeatures = 6;
using Features = std::array<double, kFeatures>;  ///< unused ones are 0

class OpFamily {
 public:
  OpFamily() = default;
  OpFamily(const OpFamily&) = delete;
  OpFamily& operator=(const OpFamily&) = delete;
  virtual ~OpFamily() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::span<const ParameterRange> parameters() const = 0;
  /// `values` in the order of parameters().
  [[nodiscard]] virtual OpTime estimate(const Op& op, const OpCard& card,
                                        std::span<const double> values) const = 0;
  [[nodiscard]] virtual Features features(const Op& op) const = 0;
  /// Least share of an operation's deviation that all cards show, known without comparing any.
  [[nodiscard]] virtual double carried() const { return 0.0; }
};

/// Makes a family of plain functions over a struct of constants, whose defaults are where a fit
/// starts.
template <class Parameters, std::size_t kCount>
class FamilyOf final : public OpFamily {
 public:
  using Keys = std::array<ParameterKey<Parameters>, kCount>;
  using Estimate = OpTime (*)(const Op&, const OpCard&, const Parameters&);
  using Describe = Features (*)(const Op&);

  FamilyOf(std::string_view name, const Keys& keys, Estimate estimator, Describe describe,
           double carried = 0.0)
      : name_(name), keys_(keys), estimate_(estimator), describe_(describe), carried_(carried) {
    const Parameters start;
    for (std::size_t i = 0; i < kCount; ++i) {
      ranges_[i] = {keys[i].name, start.*keys[i].member, keys[i].low, keys[i].high};
    }
  }
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::span<const ParameterRange> parameters() const override { return ranges_; }
  [[nodiscard]] OpTime estimate(const Op& op, const OpCard& card,
                                std::span<const double> values) const override {
    Parameters parameters;
    for (std::size_t i = 0; i < kCount; ++i) parameters.*keys_[i].member = values[i];
    return estimate_(op, card, parameters);
  }
  [[nodiscard]] Features features(const Op& op) const override { return describe_(op); }
  [[nodiscard]] double carried() const override { return carried_; }

 private:
  std::string_view name_;
  Keys keys_;
  std::array<ParameterRange, kCount> ranges_{};
  Estimate estimate_;
  Describe describe_;
  double carried_;
};

}  // namespace uplift::predict
