// SPDX-License-Identifier: Apache-2.0
// Profiles of any machines sorted by card of the catalog: one per card, which all that were
// measured on such cards go into.
#pragma once

#include "uplift/catalog/catalog.hpp"
#include "uplift/core/profile.hpp"
#include "uplift/core/result.hpp"

#include <span>
#include <string>
#include <vector>

namespace uplift::decide {

/// What is known of one card from all of its profiles.
struct CardProfile {
  const Gpu* gpu = nullptr;  ///< lives as long as the catalog
  /// Medians over the profiles, by quantity and by timed operation; the file is the first one's.
  Profile profile;
};

struct CardProfiles {
  std::vector<CardProfile> cards;
  std::vector<std::string> warnings;
};

/// Warnings: a GPU that is not in the catalog, a name that fits it only nearly, a measurement that
/// was cut short, operations that are not understood, a power limit well below the board's. Errors:
/// a profile without any figure that a prediction takes, of a part of a card (MIG), or with rates
/// well above the card's peaks.
[[nodiscard]] Result<CardProfiles> sort_profiles(std::vector<Profile> profiles,
                                                 const catalog::Catalog& catalog);

/// The profile of that card, or nullptr.
[[nodiscard]] const Profile* find_profile(std::span<const CardProfile> profiles, const Gpu& gpu);

}  // namespace uplift::decide
