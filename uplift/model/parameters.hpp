// SPDX-License-Identifier: Apache-2.0
// The constants of data/model/parameters.toml, embedded at build. docs/method.md says where each
// enters a formula; units are in the names.
#pragma once

#include "uplift/core/result.hpp"

#include <string>

namespace uplift::model {

/// 90 % half-widths of log time, by what is known of a kernel.
struct IntervalWidths {
  double gemm_tensor_core = 0, gemm_cuda_core = 0, conv = 0, attention = 0;
  double elementwise = 0, norm = 0, softmax = 0, other = 0;
  double unknown_shape = 0;  ///< GEMM, convolution or attention of which only the time is known
  double copy = 0, collective = 0;
};

struct Parameters {
  std::string version;
  double sustained_fp64 = 0, sustained_fp32 = 0, sustained_fp32_issue_bound = 0,
         sustained_tensor = 0, sustained_l2 = 0;
  double dram_hbm = 0, dram_hbm_pascal = 0, dram_gddr = 0, dram_gddr_ecc = 0, dram_other = 0;
  double idle_power = 0;          ///< share of the board power that does no arithmetic
  double cuda_core_joules = 0;    ///< per FP32 operation at 7 nm and the boost clock
  double tensor_core_joules = 0;  ///< per 16-bit operation at 7 nm and the boost clock
  double tensor_width_exponent = 0, power_exponent = 0, power_softness = 0;
  double floor_cycles = 0;
  double overlap_exponent = 0;
  double thread_bytes_per_second = 0, vector_thread_bytes_per_second = 0;
  double l2_reach = 0, l2_steepness = 0;
  double retiled_share = 0;
  double pcie = 0, pageable_bytes_per_second = 0;
  double host_half_width =
      0;  ///< 90 %, relative, of the time in which the device waits for the host
  double unseen_generation = 0;  ///< factor on half-widths for cards of 10.0 and later
  double same_capability = 0;    ///< factor on half-widths between cards of one compute capability
  IntervalWidths datasheet, published;
};

/// The built-in constants. An Error here is a defect of the build; a test loads them.
[[nodiscard]] Result<Parameters> load_parameters();
/// Constants from the text of another file, every key required, every value finite and positive.
[[nodiscard]] Result<Parameters> parse_parameters(std::string_view text, const std::string& name);
/// SHA-256 of the built-in file followed by data/model/operations.toml, in hex.
[[nodiscard]] std::string_view parameters_sha256();

}  // namespace uplift::model
