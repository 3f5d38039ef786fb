// SPDX-License-Identifier: Apache-2.0
#include "uplift/decide/card_profiles.hpp"

#include "uplift/core/printable.hpp"
#include "uplift/predict/card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace uplift::decide {
namespace {

/// Clocks above the data sheet's give a few percent; more than this is a mistake of measurement.
constexpr double kMostOverPeak = 1.25;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Result<void> check_rate(const Profile& profile, const std::string& quantity, const MaybeFact& peak,
                        const Gpu& gpu) {
  const auto value = profile.value(quantity);
  if (!value || !peak || *value <= kMostOverPeak * peak->value) return {};
  return failure(ErrorKind::kUnsupported, profile.file,
                 fmt::format("{} is {:.2g} times what {} can do at its peak", printable(quantity),
                             *value / peak->value, gpu.id),
                 "measure again");
}

/// That it can be a profile of a whole card of that kind.
Result<void> check_profile(const Profile& profile, const Gpu& gpu) {
  constexpr double kMostDifference = 0.1;
  const auto sms = profile.device.sm_count;
  const bool part = sms && gpu.sm_count &&
                    std::abs(static_cast<double>(*sms) / gpu.sm_count->value - 1) > kMostDifference;
  if (part || profile.device.mig == true) {
    return failure(ErrorKind::kUnsupported, profile.file,
                   part ? fmt::format("was measured on {} SMs of {}, which has {:.0f}", *sms,
                                      gpu.id, gpu.sm_count->value)
                        : fmt::format("was measured on a {} in MIG mode", gpu.id),
                   "measure on a whole card");
  }
  for (const Math math : kMaths) {
    const std::string quantity = "gemm_" + std::string(word(math));
    const auto fits = check_rate(profile, quantity, gpu.dense_peak[index(math)], gpu);
    if (!fits) return fits;
  }
  return check_rate(profile, "dram_stream", gpu.dram_bandwidth, gpu);
}

void warn_of(const Profile& profile, const Gpu& gpu, std::vector<std::string>& warnings) {
  constexpr double kMuchLower = 0.9;
  if (!profile.complete) {
    warnings.push_back(profile.file + ": the measurement was cut short; what there is, is used");
  }
  if (profile.unusable > 0) {
    warnings.push_back(fmt::format("{}: {} timed operations are not used; the first: {}",
                                   profile.file, profile.unusable,
                                   printable(profile.first_unusable)));
  }
  const auto limit = profile.device.power_limit_watts;
  if (limit && gpu.board_power && *limit < kMuchLower * gpu.board_power->value) {
    warnings.push_back(fmt::format("{}: measured at a power limit of {:.0f} W, {} has {:.0f} W",
                                   profile.file, *limit, gpu.id, gpu.board_power->value));
  }
}

/// Medians of each quantity and each timed operation over profiles of one kind of card.
Profile merge(const std::vector<const Profile*>& profiles) {
  Profile merged = *profiles.front();
  if (profiles.size() == 1) return merged;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    std::map<std::string, std::pair<ProfileSample, std::vector<double>>> samples;
    for (const Profile* profile : profiles) {
      for (const ProfileSample& sample : profile->samples[i]) {
        if (!sample.value || sample.verified == false) continue;
        auto& [first, values] = samples[sample.quantity];
        if (values.empty()) first = sample;
        values.push_back(*sample.value);
      }
    }
    merged.samples[i].clear();
    for (auto& [quantity, found] : samples) {
      found.first.value = median(std::move(found.second));
      merged.samples[i].push_back(std::move(found.first));
    }
  }
  std::vector<std::pair<TimedCall, std::vector<double>>> calls;
  for (const Profile* profile : profiles) {
    for (const TimedCall& call : profile->calibration) {
      auto known = std::find_if(calls.begin(), calls.end(),
                                [&](const auto& one) { return one.first.op == call.op; });
      if (known == calls.end()) known = calls.insert(known, {call, {}});
      known->second.push_back(call.seconds);
    }
  }
  merged.calibration.clear();
  for (auto& [call, seconds] : calls) {
    call.seconds = median(std::move(seconds));
    merged.calibration.push_back(std::move(call));
  }
  return merged;
}

catalog::DeviceHints hints_of(const ProfileDevice& device) {
  catalog::DeviceHints hints;
  hints.name = device.name;
  if (device.sm_count) hints.sm_count = static_cast<int>(*device.sm_count);
  hints.memory_bytes = device.memory_bytes;
  hints.compute_capability = device.compute_capability;
  return hints;
}

}  // namespace

Result<CardProfiles> sort_profiles(std::vector<Profile> profiles, const catalog::Catalog& catalog) {
  CardProfiles sorted;
  std::vector<std::pair<const Gpu*, std::vector<const Profile*>>> cards;
  for (const Profile& profile : profiles) {
    if (profile.calibration.empty() && !predict::has_ceilings(profile)) {
      return failure(ErrorKind::kUnsupported, profile.file,
                     "holds no figure and no timed operation that a prediction takes",
                     "measure again");
    }
    const auto resolved = catalog.resolve_device(hints_of(profile.device));
    if (!resolved) {
      sorted.warnings.push_back(
          fmt::format("{}: is not used, as {} is not in the catalog; describe it with --gpu-file",
                      profile.file, printable(profile.device.name)));
      continue;
    }
    const Gpu& gpu = *resolved->gpu;
    if (auto fits = check_profile(profile, gpu); !fits) return failure(fits.error());
    if (!resolved->note.empty()) sorted.warnings.push_back(profile.file + ": " + resolved->note);
    warn_of(profile, gpu, sorted.warnings);
    auto card = std::find_if(cards.begin(), cards.end(),
                             [&](const auto& known) { return known.first == &gpu; });
    if (card == cards.end()) card = cards.insert(card, {&gpu, {}});
    card->second.push_back(&profile);
  }
  for (const auto& [gpu, of_card] : cards) sorted.cards.push_back({gpu, merge(of_card)});
  return sorted;
}

const Profile* find_profile(std::span<const CardProfile> profiles, const Gpu& gpu) {
  for (const CardProfile& card : profiles) {
    if (card.gpu == &gpu) return &card.profile;
  }
  return nullptr;
}

}  // namespace uplift::decide
