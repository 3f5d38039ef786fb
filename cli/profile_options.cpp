// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_options.hpp"

#include "uplift/read/profile/profile_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace uplift::cli {
namespace {

constexpr std::array kBases = {model::Basis::kDatasheet, model::Basis::kPublished,
                               model::Basis::kMeasured};

}  // namespace

void declare_basis(CLI::App& app, model::Basis& basis) {
  app.add_option_function<std::string>(
         "--basis",
         [&basis](const std::string& text) {
           basis = *std::find_if(kBases.begin(), kBases.end(),
                                 [&](model::Basis known) { return word(known) == text; });
         },
         "the most to use: measured (default; cards with a --profile), published or datasheet")
      ->check(CLI::IsMember({"measured", "published", "datasheet"}))
      ->type_name("BASIS");
}

void declare_profiles(CLI::App& app, std::vector<std::string>& paths) {
  app.add_option("--profile", paths,
                 "what was measured on a card, or a folder of *.json; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Result<std::vector<decide::CardProfile>> load_profiles(const std::vector<std::string>& paths,
                                                       model::Basis basis,
                                                       const catalog::Catalog& catalog,
                                                       const Console& console) {
  auto profiles = read::load_profiles(paths);
  if (!profiles) return failure(profiles.error());
  auto sorted = decide::sort_profiles(std::move(*profiles), catalog);
  if (!sorted) return failure(sorted.error());
  for (const std::string& warning : sorted->warnings) console.warn(warning);
  if (basis != model::Basis::kMeasured && !paths.empty()) {
    console.warn(fmt::format("--profile is not used with --basis {}", word(basis)));
    return std::vector<decide::CardProfile>();
  }
  return std::move(sorted->cards);
}

void warn_of_unused(const std::vector<decide::CardProfile>& profiles,
                    const std::vector<std::string>& used, const Console& console) {
  for (const decide::CardProfile& profile : profiles) {
    if (std::find(used.begin(), used.end(), profile.gpu->id) != used.end()) continue;
    console.warn(fmt::format("{}: is of {}, which has no part in this answer", profile.profile.file,
                             profile.gpu->id));
  }
}

}  // namespace uplift::cli
