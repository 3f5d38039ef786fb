// SPDX-License-Identifier: Apache-2.0
// What was measured on one machine's GPU: the schema uplift.profile/1 (docs/formats.md) as plain
// data. An empty optional is JSON null.
#pragma once

#include "uplift/core/dimension.hpp"
#include "uplift/core/gpu.hpp"
#include "uplift/core/op.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace uplift {

/// Why a sample has no value.
enum class NoValue : std::uint8_t { kUnsupported, kNotCompiled, kFailed, kNotRun };

inline constexpr std::array<std::string_view, 4> kNoValueWords = {"unsupported", "not-compiled",
                                                                  "failed", "not-run"};

[[nodiscard]] constexpr std::string_view word(NoValue reason) {
  return kNoValueWords[static_cast<std::size_t>(reason)];
}

struct ProfileSample {
  std::string quantity;                  ///< `gemm_bf16`, `dram_stream`, …
  std::string unit;                      ///< SI: `FLOP/s`, `B/s`, `s`, …
  std::optional<double> value;           ///< median of the repetitions
  double spread = 0;                     ///< largest minus smallest of them, in the unit
  std::int64_t count = 0;                ///< repetitions
  std::optional<double> sm_clock_hertz;  ///< during the sample
  std::optional<double> power_watts;     ///< likewise
  std::optional<double> share_of_peak_observed_clock;    ///< of the peak at sm_clock_hertz
  std::optional<double> share_of_peak_data_sheet_clock;  ///< of the peak in the catalog
  std::optional<bool> verified;   ///< results checked; empty: nothing to check
  std::optional<NoValue> reason;  ///< why there is no value
};

struct ProfileDevice {
  std::string name;  ///< as the driver prints it
  std::optional<ComputeCapability> compute_capability;
  std::optional<std::int64_t> sm_count;
  std::optional<double> memory_bytes;  ///< that the driver reports
  std::optional<double> max_sm_clock_hertz, max_memory_clock_hertz;
  std::optional<bool> ecc;
  std::optional<double> power_limit_watts;
  std::optional<bool> mig;
  std::string driver, toolkit;  ///< empty: not known
};

/// One operation that was timed so that predictions of the card can start from it.
struct TimedCall {
  Op op;
  double seconds = 0;  ///< of the kernels alone, without the launch; median
  double spread = 0;   ///< s, largest minus smallest repetition
  std::int64_t count = 1;
};

struct Profile {
  std::string file;      ///< for what is said of it
  bool complete = true;  ///< false: the measurement was cut short
  ProfileDevice device;
  std::array<std::vector<ProfileSample>, kDimensions.size()> samples;  ///< by Dimension
  std::vector<TimedCall> calibration;
  std::size_t unusable = 0;    ///< timed operations of unknown kind, format or shape
  std::string first_unusable;  ///< `PLACE: why`, of the first of them

  /// The value of a quantity; empty if it was not measured or its results were wrong.
  [[nodiscard]] std::optional<double> value(std::string_view quantity) const {
    for (const auto& list : samples) {
      for (const ProfileSample& sample : list) {
        if (sample.quantity == quantity && sample.verified != false) return sample.value;
      }
    }
    return std::nullopt;
  }
};

}  // namespace uplift
