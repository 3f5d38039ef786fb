// SPDX-License-Identifier: Apache-2.0
// Profiles of GPUs, schema uplift.profile/1: JSON, plain, gzip or zstd. docs/formats.md.
#pragma once

#include "uplift/core/profile.hpp"
#include "uplift/core/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace uplift::read {

/// A profile of every operation in every format is a few hundred KB.
inline constexpr std::size_t kLargestProfile = std::size_t{16} << 20;
inline constexpr std::size_t kMostCalibrations = 10'000;

/// `name` is for error lines, which give the place as a JSON pointer. Keys that are not known are
/// passed over; timed operations that cannot be understood are counted. Errors: bytes that are no
/// JSON, another schema or version, a required key missing, a value of the wrong type or one that
/// no GPU can have.
[[nodiscard]] Result<Profile> parse_profile(std::string_view text, const std::string& name);

/// Errors: those of parse_profile(), and of a file that cannot be read or is too large.
[[nodiscard]] Result<Profile> load_profile(const std::string& path);

/// Files, and folders for all *.json in them by name. Errors: the first of load_profile(); a folder
/// without any.
[[nodiscard]] Result<std::vector<Profile>> load_profiles(const std::vector<std::string>& paths);

}  // namespace uplift::read
