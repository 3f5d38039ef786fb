// SPDX-License-Identifier: Apache-2.0
// The rule, its reasons in plain words, and the inputs that would turn it.
#include "uplift/decide/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace uplift::decide {
namespace {

constexpr auto kHostIndex = static_cast<std::size_t>(Bound::kHost);

Decision decide(const Range& speedup, const MemoryFit& memory) {
  if (memory.fits == false) return Decision::kHold;
  if (speedup.low >= kWorthwhileSpeedup) return Decision::kUpgradeNow;
  if (speedup.high < kPointlessSpeedup || speedup.predicted < kNoticeableSpeedup) {
    return Decision::kHold;
  }
  return Decision::kEvaluate;
}

std::string describe_speedup(const Range& speedup, Decision decision) {
  switch (decision) {
    case Decision::kUpgradeNow:
      return fmt::format("at least {:.2f}× faster as is, even at the low end of the interval",
                         speedup.low);
    case Decision::kEvaluate:
      return fmt::format(
          "{:.2f}× faster as is, but between {:.2f}× and {:.2f}×: time the job on one before "
          "buying",
          speedup.predicted, speedup.low, speedup.high);
    case Decision::kHold:
    case Decision::kCannotSay:
      return fmt::format("{:.2f}× as is (between {:.2f}× and {:.2f}×)", speedup.predicted,
                         speedup.low, speedup.high);
  }
  return {};
}

/// The bound, other than the host, that takes most of the predicted step.
std::string describe_bound(const TargetAdvice& target) {
  const auto& parts = target.seconds_by_bound;
  const auto largest = std::max_element(parts.begin(), parts.end());
  const double whole = target.step_seconds->predicted;
  if (whole <= 0 || largest - parts.begin() == static_cast<long>(kHostIndex)) return {};
  return fmt::format("{:.0f} % of the step would be {}-bound there", 100.0 * *largest / whole,
                     word(kBounds[static_cast<std::size_t>(largest - parts.begin())]));
}

/// The host time at which the speedup would reach `wanted`, if cutting it can do that. Removing d
/// from both steps gives (source - d) / (target - d).
std::optional<Flip> host_flip(double source, const TargetAdvice& target, double wanted) {
  const double predicted = target.step_seconds->predicted;
  const double host = target.seconds_by_bound[kHostIndex];
  if (source / predicted >= wanted) return std::nullopt;
  const double cut = (wanted * predicted - source) / (wanted - 1.0);
  if (cut <= 0 || cut > host || cut >= source) return std::nullopt;
  return Flip{"host_seconds_per_step", host, host - cut, "s"};
}

}  // namespace

Verdict judge(const SourceFacts& source, const TargetAdvice& target) {
  Verdict verdict;
  if (!target.speedup || !target.step_seconds || !source.step_seconds) {
    verdict.reasons.push_back("the GPU of the recording is not known: name it with --from");
    return verdict;
  }
  const Range& speedup = *target.speedup;
  if (source.gpu == target.gpu) {
    verdict.decision = Decision::kHold;
    verdict.reasons.push_back("this is the card the job runs on");
    return verdict;
  }
  verdict.decision = decide(speedup, target.memory);
  if (target.memory.fits == false) {
    verdict.reasons.push_back(fmt::format("the job held {:.1f} GB and the card has {:.1f} GB",
                                          *target.memory.needed_bytes / 1e9,
                                          *target.memory.available_bytes / 1e9));
  }
  verdict.reasons.push_back(describe_speedup(speedup, verdict.decision));
  const double floor = source.floor_seconds.value_or(0.0);
  constexpr double kNearFloor = 1.1;
  if (floor > 0 && target.step_seconds->predicted <= kNearFloor * floor) {
    verdict.reasons.push_back(
        fmt::format("the host keeps the step at {:.3g} ms, {:.0f} % of what it is now; no GPU "
                    "changes that",
                    1e3 * floor, 100.0 * floor / *source.step_seconds));
  }
  if (auto text = describe_bound(target); !text.empty()) verdict.reasons.push_back(std::move(text));

  switch (verdict.decision) {
    case Decision::kUpgradeNow:
      verdict.flips_if.push_back({"speedup_low", speedup.low, kWorthwhileSpeedup, "ratio"});
      break;
    case Decision::kEvaluate:
      verdict.flips_if.push_back({"speedup_low", speedup.low, kWorthwhileSpeedup, "ratio"});
      verdict.flips_if.push_back({"speedup_high", speedup.high, kPointlessSpeedup, "ratio"});
      break;
    case Decision::kHold:
      if (target.memory.fits != false) {
        verdict.flips_if.push_back(
            {"speedup_predicted", speedup.predicted, kNoticeableSpeedup, "ratio"});
        if (speedup.high < kPointlessSpeedup) {
          verdict.flips_if.push_back({"speedup_high", speedup.high, kPointlessSpeedup, "ratio"});
        }
      } else {
        verdict.flips_if.push_back({"memory_needed_bytes", *target.memory.needed_bytes,
                                    *target.memory.available_bytes, "B"});
      }
      break;
    case Decision::kCannotSay:
      break;
  }
  if (auto flip = host_flip(*source.step_seconds, target, kWorthwhileSpeedup)) {
    verdict.flips_if.push_back(*flip);
  }
  return verdict;
}

}  // namespace uplift::decide
