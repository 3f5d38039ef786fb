// SPDX-License-Identifier: Apache-2.0
// What the catalog knows of one board. A plain struct: catalog/ fills it from data/gpus/*.toml,
// model/ turns it into ceilings, report/ prints it. Every number carries its source. Values are in
// SI base units (B, B/s, FLOP/s, Hz, s, W); an absent number is unknown, never guessed.
#pragma once

#include "uplift/core/math.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uplift {

/// How a number came into the catalog.
enum class Provenance {
  kRead,      ///< read in the named document
  kRecalled,  ///< stated from memory of the named document; guarded by the catalog's self-check
  kDerived,   ///< computed from other numbers of this board; the source says how
};

[[nodiscard]] constexpr std::string_view word(Provenance provenance) {
  constexpr std::array<std::string_view, 3> kWords = {"read", "recalled", "derived"};
  return kWords[static_cast<std::size_t>(provenance)];
}

/// One sourced number.
struct Fact {
  double value = 0.0;
  std::string source;
  Provenance provenance = Provenance::kRead;
  std::string note;  ///< caveat, or empty
};
using MaybeFact = std::optional<Fact>;

struct ComputeCapability {
  int major = 0;
  int minor = 0;
  auto operator<=>(const ComputeCapability&) const = default;
};

/// Sustained rates that others measured on this board: the `published` basis.
struct PublishedCeilings {
  std::array<MaybeFact, kMaths.size()> gemm;  ///< FLOP/s of a large library GEMM, by format
  MaybeFact dram_stream;                      ///< B/s, bytes read plus written
  MaybeFact l2_bandwidth;                     ///< B/s of reads that hit L2
  MaybeFact dram_latency;                     ///< s
  MaybeFact l2_latency;                       ///< s
  MaybeFact launch_time;                      ///< s from one kernel to the next in a stream
  MaybeFact graph_launch_time;                ///< s likewise inside one CUDA graph
  MaybeFact h2d_bandwidth;                    ///< B/s, one way, pinned host memory
  MaybeFact d2h_bandwidth;                    ///< B/s, one way, pinned host memory
};

/// A data-sheet peak that is knowingly not SMs × rate × clock; the self-check skips it.
struct PeakException {
  std::string path;  ///< field, such as `peak.dense.int4`
  std::string reason;
};

struct Gpu {
  std::string id;            ///< canonical, lower case, with form factor: `a100-sxm4-80gb`
  std::string name;          ///< as NVIDIA prints it
  std::string architecture;  ///< `Volta`, `Ampere`, …
  std::string chip;          ///< `GV100`, …
  std::string memory_type;   ///< `HBM2`, `GDDR6`, …
  ComputeCapability compute_capability;
  int launch_year = 0;
  std::vector<std::string> aliases;       ///< names that drivers and profilers print for this board
  std::vector<std::string> near_aliases;  ///< printed names of other boards nearest to this one
  std::vector<std::string> notes;
  std::string last_cuda_toolkit;   ///< last toolkit that supports the board; empty: still supported
  std::string last_driver_branch;  ///< likewise for the driver
  std::string support_source;      ///< where the last two come from
  Provenance support_provenance = Provenance::kRead;
  std::vector<PeakException> peak_exceptions;

  MaybeFact sm_count;
  MaybeFact boost_clock;   ///< Hz, CUDA cores
  MaybeFact tensor_clock;  ///< Hz behind the tensor peaks, where the data sheet uses another
  MaybeFact fp32_accumulate_ratio;  ///< share of the tensor rate left with FP32 sums; GeForce: 0.5
  std::array<MaybeFact, kMaths.size()> dense_peak;   ///< FLOP/s by format, dense
  std::array<MaybeFact, kMaths.size()> sparse_peak;  ///< FLOP/s by format with 2:4, zeros counted
  MaybeFact fp16_cuda_peak;                          ///< FLOP/s of FP16 on CUDA cores
  MaybeFact
      fp16_fp16acc_peak;  ///< FLOP/s of FP16 tensor cores with FP16 accumulation, where it differs
  MaybeFact int8_dp4a_peak;        ///< op/s of INT8 by DP4A on CUDA cores
  MaybeFact fp4_peak;              ///< FLOP/s, dense
  MaybeFact memory_bytes;          ///< B, as sold (GB = 10^9): a safe bound on what a job can use
  MaybeFact memory_visible_bytes;  ///< B that the driver reports (totalGlobalMem)
  MaybeFact memory_bus_bits;
  MaybeFact dram_bandwidth;       ///< B/s, data sheet
  MaybeFact l2_bytes;             ///< B
  MaybeFact l2_persisting_bytes;  ///< B that may be set aside for persisting accesses
  MaybeFact shared_bytes_per_sm;
  MaybeFact shared_bytes_per_block;  ///< B, opt-in limit
  MaybeFact threads_per_sm;
  MaybeFact registers_per_sm;
  MaybeFact blocks_per_sm;
  MaybeFact nvlink_generation;
  MaybeFact nvlink_links;      ///< 0: the board has no NVLink
  MaybeFact nvlink_bandwidth;  ///< B/s, both directions together
  MaybeFact c2c_bandwidth;     ///< B/s, both directions together
  MaybeFact pcie_generation;
  MaybeFact pcie_lanes;
  MaybeFact board_power;    ///< W
  MaybeFact mig_instances;  ///< 0: the board has no MIG
  MaybeFact copy_engines;

  PublishedCeilings published;
};

}  // namespace uplift
