// SPDX-License-Identifier: Apache-2.0
#include "uplift/catalog/units.hpp"

#include <vector>

namespace uplift::catalog {

std::string unit_choices(UnitKind kind) {
  std::vector<std::string_view> names;
  for (const Unit& known : kUnits) {
    if (known.kind == kind) names.push_back(known.text);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace uplift::catalog
