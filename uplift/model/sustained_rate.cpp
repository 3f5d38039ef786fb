// SPDX-License-Identifier: Apache-2.0
// Symbols as in docs/method.md, section 3.1.
#include "uplift/model/sustained_rate.hpp"

#include <array>
#include <cmath>

namespace uplift::model {
namespace {

struct Process {
  ComputeCapability first;
  double nanometres;
};

/// Feature size by compute capability, newest first; NVIDIA's architecture whitepapers (GP100,
/// GV100, TU102, GA100, GA102, AD102, GH100, Blackwell): TSMC 16FF, 12FFN, 12FFN, N7, Samsung 8N,
/// and TSMC 4N and 4NP, which are 5 nm processes.
constexpr std::array kProcesses = {
    Process{{8, 9}, 5},  Process{{8, 6}, 8},  Process{{8, 0}, 7},
    Process{{7, 0}, 12}, Process{{6, 0}, 16}, Process{{0, 0}, 28},
};

/// Energy per operation is taken as proportional to the feature size, with 7 nm as the unit: wires
/// and gates, which are charged and discharged, get shorter with it.
double relative_energy(const ComputeCapability& capability) {
  for (const Process& process : kProcesses) {
    if (capability >= process.first) return process.nanometres / 7.0;
  }
  return kProcesses.back().nanometres / 7.0;
}

/// Operations per clock and SM behind `peak`; 0: not known.
double per_clock_and_sm(const Gpu& gpu, const MaybeFact& clock, double peak) {
  if (!gpu.sm_count || !clock || gpu.sm_count->value <= 0 || clock->value <= 0) return 0;
  return peak / (gpu.sm_count->value * clock->value);
}

/// min(rate, what the power lasts for), softly. `joules` are per operation at the boost clock. A
/// board whose power is not known counts as made for just this rate.
double power_limited(const Gpu& gpu, double rate, double joules, const Parameters& parameters) {
  double demand = 1;
  if (gpu.board_power && gpu.board_power->value > 0) {
    demand = joules * rate / ((1 - parameters.idle_power) * gpu.board_power->value);
  }
  const double bent = std::pow(demand, parameters.power_exponent * parameters.power_softness);
  return rate * std::pow(1 + bent, -1 / parameters.power_softness);
}

/// True if the SM has an FP32 lane for every thread that its four schedulers issue per clock, and
/// (from Volta on) no second issue port: then a load takes the place of a multiply-add.
bool issue_bound(const Gpu& gpu) {
  const MaybeFact& fp32 = gpu.dense_peak[index(Math::kFp32)];
  constexpr double kBetween64And128Lanes = 96;
  return fp32 && gpu.compute_capability.major >= 7 &&
         per_clock_and_sm(gpu, gpu.boost_clock, fp32->value) > 2 * kBetween64And128Lanes;
}

double tensor_core_rate(const Gpu& gpu, double bits, double peak, const Parameters& parameters) {
  constexpr double kUnitBits = 16;
  constexpr double kUnitWidth = 2048;  // operations per clock and SM of the A100 in 16 bits
  const double halves = bits / kUnitBits;
  const MaybeFact& clock = gpu.tensor_clock ? gpu.tensor_clock : gpu.boost_clock;
  const double width = per_clock_and_sm(gpu, clock, peak) * halves;
  double joules = parameters.tensor_core_joules * relative_energy(gpu.compute_capability) * halves;
  // A wider matrix unit uses each operand for more multiply-adds.
  if (width > 0) joules *= std::pow(width / kUnitWidth, -parameters.tensor_width_exponent);
  return power_limited(gpu, peak * parameters.sustained_tensor, joules, parameters);
}

}  // namespace

double sustained_cuda_core_rate(const Gpu& gpu, double bits, double peak,
                                const Parameters& parameters) {
  constexpr double kLaneBits = 32;
  const double share =
      issue_bound(gpu) ? parameters.sustained_fp32_issue_bound : parameters.sustained_fp32;
  const double joules =
      parameters.cuda_core_joules * relative_energy(gpu.compute_capability) * bits / kLaneBits;
  return power_limited(gpu, peak * share, joules, parameters);
}

double sustained_rate(const Gpu& gpu, Math math, double peak, const Parameters& parameters) {
  switch (math) {
    case Math::kFp64:
    case Math::kFp64Tc:
      return peak * parameters.sustained_fp64;
    case Math::kFp32:
      return sustained_cuda_core_rate(gpu, 32, peak, parameters);
    case Math::kTf32:
      return tensor_core_rate(gpu, 32, peak, parameters);
    case Math::kFp16:
    case Math::kBf16:
      return tensor_core_rate(gpu, 16, peak, parameters);
    case Math::kFp8:
    case Math::kInt8:
      return tensor_core_rate(gpu, 8, peak, parameters);
    case Math::kInt4:
      return tensor_core_rate(gpu, 4, peak, parameters);
  }
  return peak;
}

}  // namespace uplift::model
