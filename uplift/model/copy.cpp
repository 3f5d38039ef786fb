// SPDX-License-Identifier: Apache-2.0
// Links and launch cost from the catalog; links of PCIe from its generation and lanes.
#include "uplift/model/copy.hpp"

#include <algorithm>
#include <cmath>

namespace uplift::model {
namespace {

/// Nominal rate of one lane and direction: 8 GT/s with 128b/130b coding in PCIe 3.0 is 0.985 GB/s;
/// each generation doubles it (PCI-SIG base specifications 3.0 to 6.0).
double lane_bytes_per_second(double generation) {
  return 0.985e9 * std::pow(2.0, generation - 3.0);
}

}  // namespace

CopyCeilings estimate_copy(const Gpu& gpu, const Parameters& parameters) {
  const double generation = gpu.pcie_generation ? gpu.pcie_generation->value : 3.0;
  const double lanes = gpu.pcie_lanes ? gpu.pcie_lanes->value : 16.0;
  double host = parameters.pcie * lanes * lane_bytes_per_second(generation);
  // NVLink-C2C replaces PCIe on the way to the host; half of its total is one direction.
  if (gpu.c2c_bandwidth) host = parameters.pcie * gpu.c2c_bandwidth->value / 2.0;
  CopyCeilings ceilings;
  ceilings.host_pinned = BytesPerSecond(host);
  ceilings.host_pageable = BytesPerSecond(std::min(host, parameters.pageable_bytes_per_second));
  ceilings.has_nvlink = gpu.nvlink_bandwidth && gpu.nvlink_bandwidth->value > 0;
  ceilings.peer = ceilings.has_nvlink
                      ? BytesPerSecond(gpu.nvlink_bandwidth->value / 2.0)
                      : BytesPerSecond(parameters.pcie * lanes * lane_bytes_per_second(generation));
  const double clock = gpu.boost_clock ? gpu.boost_clock->value : 1.4e9;
  ceilings.kernel_floor = Seconds(parameters.floor_cycles / clock);
  return ceilings;
}

}  // namespace uplift::model
