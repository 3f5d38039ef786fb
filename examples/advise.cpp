// SPDX-License-Identifier: Apache-2.0
// What README.md shows: the speedup that another card would bring to a recording.
// usage: advise TRACE GPU
#include "uplift/decide/advise.hpp"

#include "uplift/catalog/catalog.hpp"
#include "uplift/model/parameters.hpp"
#include "uplift/read/load_workload.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto catalog = uplift::catalog::Catalog::load();
  const auto parameters = uplift::model::load_parameters();
  const auto workload = uplift::read::load_workload(argv[1]);
  if (!catalog || !parameters || !workload) return 1;
  uplift::decide::AdviseRequest request;
  request.to = {argv[2]};
  const auto advice = uplift::decide::advise(*workload, request, *catalog, *parameters);
  if (!advice) return std::puts(advice.error().line().c_str()), 1;
  const uplift::Range& speedup = *advice->targets.front().speedup;
  std::printf("%.2f times (%.2f to %.2f)\n", speedup.predicted, speedup.low, speedup.high);
}
