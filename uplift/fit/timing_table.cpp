// SPDX-License-Identifier: Apache-2.0
#include "uplift/fit/timing_table.hpp"

#include "uplift/predict/op/families.hpp"

#include <unordered_map>
#include <utility>

namespace uplift::fit {
namespace {

/// Numbers cards and equal operations of one family as they come.
class Builder {
 public:
  explicit Builder(const predict::OpFamily& family) : timings_{&family, {}} {}

  void add(const Timing& timing, Op op, const CardModels& models) {
    // The same card timed with and without launches counts as two.
    const auto [card, is_new] =
        cards_.emplace(std::pair{timing.gpu, timing.with_launch}, timings_.data.cards.size());
    if (is_new) {
      timings_.data.cards.push_back({timing.gpu, predict::describe_card(models.datasheet),
                                     predict::describe_card(models.published), timing.with_launch});
    }
    std::string key(word(op.kind));
    key.append(word(op.math)).append(render_shape(op.shape));
    const auto group = static_cast<std::uint32_t>(groups_.size());
    const auto known = groups_.emplace(std::move(key), group).first->second;
    timings_.data.samples.push_back({card->second, known, {std::move(op), timing.seconds}});
  }
  [[nodiscard]] FamilyTimings take() { return std::move(timings_); }
  [[nodiscard]] bool empty() const { return timings_.data.samples.empty(); }

 private:
  FamilyTimings timings_;
  std::map<std::pair<std::string, bool>, std::size_t> cards_;
  std::unordered_map<std::string, std::uint32_t> groups_;
};

}  // namespace

std::vector<FamilyTimings> split_by_family(std::span<const Timing> timings,
                                           const std::map<std::string, CardModels>& cards) {
  std::map<const predict::OpFamily*, Builder> builders;
  for (const Timing& timing : timings) {
    const CardModels& models = cards.at(timing.gpu);
    const Op op = predict::as_run(timing.op, models.published);
    const predict::OpFamily* family = predict::family_of(op);
    if (family == nullptr || !(timing.seconds > 0)) continue;
    builders.try_emplace(family, *family).first->second.add(timing, op, models);
  }
  std::vector<FamilyTimings> all;
  for (const predict::OpFamily* family : predict::op_families()) {
    const auto found = builders.find(family);
    if (found != builders.end()) all.push_back(found->second.take());
  }
  return all;
}

}  // namespace uplift::fit
