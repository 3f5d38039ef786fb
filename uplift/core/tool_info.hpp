// SPDX-License-Identifier: Apache-2.0
// Which program made an answer: the `tool` object of every JSON output. The command line fills it.
#pragma once

#include <cstdint>
#include <string>

namespace uplift {

struct ToolInfo {
  std::string version;
  std::string git;                ///< commit, or empty when unknown
  std::string model;              ///< version of the prediction model
  std::string catalog_date;       ///< ISO date of the data in the catalog
  std::string parameters_sha256;  ///< of the fitted parameters, or empty when none were used
  std::uint64_t seed = 0;
};

}  // namespace uplift
