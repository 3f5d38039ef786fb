// SPDX-License-Identifier: Apache-2.0
// What commands that predict share: --basis, --profile, and the profiles that they name.
#pragma once

#include "cli/command.hpp"
#include "uplift/catalog/catalog.hpp"
#include "uplift/core/result.hpp"
#include "uplift/decide/card_profiles.hpp"
#include "uplift/model/basis.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace uplift::cli {

/// Declares `--basis measured|published|datasheet` into `basis`, which holds the default.
void declare_basis(CLI::App& app, model::Basis& basis);

/// Declares `--profile FILE` (repeatable) into `paths`.
void declare_profiles(CLI::App& app, std::vector<std::string>& paths);

/// The profiles by card, with what is to be said of them on stderr. None, with a warning, if
/// `basis` has no use for them.
[[nodiscard]] Result<std::vector<decide::CardProfile>> load_profiles(
    const std::vector<std::string>& paths, model::Basis basis, const catalog::Catalog& catalog,
    const Console& console);

/// Warns of profiles of cards that are not among `used` (canonical ids).
void warn_of_unused(const std::vector<decide::CardProfile>& profiles,
                    const std::vector<std::string>& used, const Console& console);

}  // namespace uplift::cli
