// SPDX-License-Identifier: Apache-2.0
// Tables of timings with the cards of the catalog that they name.
#pragma once

#include "cli/command.hpp"
#include "uplift/catalog/catalog.hpp"
#include "uplift/fit/timing_table.hpp"
#include "uplift/model/parameters.hpp"

#include <map>
#include <string>
#include <vector>

namespace uplift::cli {

struct TimingsInput {
  std::vector<fit::Timing> timings;
  std::map<std::string, fit::CardModels> cards;
};

/// Rows that cannot be used are counted in a warning; a card that the catalog does not know is an
/// Error of kind kUnsupported that names the table.
[[nodiscard]] Result<TimingsInput> load_timings(const std::vector<std::string>& files,
                                                const catalog::Catalog& catalog,
                                                const model::Parameters& parameters,
                                                const Console& console);

}  // namespace uplift::cli
