// SPDX-License-Identifier: Apache-2.0
// The rules behind the `datasheet` basis, from the published figures of the catalog: the constants
// that suit all boards, for data/model/parameters.toml, and the errors on boards whose chip and
// form factor were left out of the fit, beside those of one share for every board.
//
// usage: ceiling_rules
#include "uplift/catalog/catalog.hpp"
#include "uplift/model/memory.hpp"
#include "uplift/model/sustained_rate.hpp"
#include "uplift/numeric/least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace uplift;
using model::Parameters;

namespace {

struct Unknown {
  std::string_view key;
  double Parameters::*value;
  numeric::Unknown range;  ///< of the fit
};

const std::array kUnknowns = {
    Unknown{"sustained.fp32", &Parameters::sustained_fp32, {0.95, 0.5, 1}},
    Unknown{"sustained.fp32_issue_bound", &Parameters::sustained_fp32_issue_bound, {0.8, 0.4, 1}},
    Unknown{"sustained.tensor", &Parameters::sustained_tensor, {0.95, 0.5, 1}},
    Unknown{"power.cuda_core_joules", &Parameters::cuda_core_joules, {10e-12, 2e-12, 40e-12}},
    Unknown{"power.tensor_core_joules", &Parameters::tensor_core_joules, {1.5e-12, 0.3e-12, 6e-12}},
    Unknown{"power.tensor_width_exponent", &Parameters::tensor_width_exponent, {0.3, 0.05, 1}},
    Unknown{"power.exponent", &Parameters::power_exponent, {0.6, 1.0 / 3, 1}},
};

/// A figure was measured on this very board, not carried over from one like it.
bool own(const Fact& fact) { return fact.note.find("measured on") == std::string::npos; }

/// Boards that share a chip and a form factor are left out together.
std::string group(const Gpu& gpu) {
  for (const std::string_view form : {"sxm", "gh200"}) {
    if (gpu.id.find(form) != std::string::npos) return fmt::format("{} {}", gpu.chip, form);
  }
  return gpu.chip + " pcie";
}

struct Figure {
  const Gpu* gpu = nullptr;
  Math math = Math::kFp32;
  double peak = 0, measured = 0;
};

std::vector<Figure> figures(const catalog::Catalog& boards) {
  std::vector<Figure> found;
  for (const Gpu& gpu : boards.all()) {
    for (const Math math : kMaths) {
      if (math == Math::kFp64 || math == Math::kFp64Tc) continue;
      const MaybeFact& measured = gpu.published.gemm[index(math)];
      const MaybeFact& peak = gpu.dense_peak[index(math)];
      if (measured && peak && own(*measured)) {
        found.push_back({&gpu, math, peak->value, measured->value});
      }
    }
  }
  return found;
}

Parameters fitted(const std::vector<Figure>& figures, const Parameters& start) {
  std::vector<numeric::Unknown> unknowns;
  for (const Unknown& unknown : kUnknowns) unknowns.push_back(unknown.range);
  const auto with = [&](std::span<const double> values) {
    Parameters parameters = start;
    for (std::size_t i = 0; i < kUnknowns.size(); ++i) parameters.*kUnknowns[i].value = values[i];
    return parameters;
  };
  numeric::LeastSquaresOptions options;
  options.loss_scale = 0.1;
  options.robust = figures.size();
  const auto result = numeric::minimise(
      [&](std::span<const double> values, std::span<double> out) {
        const Parameters parameters = with(values);
        for (std::size_t i = 0; i < figures.size(); ++i) {
          const Figure& f = figures[i];
          out[i] = std::log(model::sustained_rate(*f.gpu, f.math, f.peak, parameters) / f.measured);
        }
      },
      figures.size(), unknowns, options);
  return with(result.values);
}

/// What is known of the errors of a rule: |ln| of predicted over measured.
struct Errors {
  std::vector<double> sizes;
  double worst = 0;
  std::string worst_board;

  void add(const Gpu& gpu, double error) {
    sizes.push_back(std::abs(error));
    if (std::abs(error) > std::abs(worst)) {
      worst = error;
      worst_board = gpu.id;
    }
  }
  void print(std::string_view rule) {
    if (sizes.empty()) return;
    std::sort(sizes.begin(), sizes.end());
    double sum = 0;
    for (const double size : sizes) sum += size;
    fmt::print("  {:<28} n {:>3}  mean {:.3f}  90 % {:.3f}  worst {:+.2f} ({})\n", rule,
               sizes.size(), sum / static_cast<double>(sizes.size()), sizes[sizes.size() * 9 / 10],
               worst, worst_board);
  }
};

void print_rates(const catalog::Catalog& boards, const Parameters& start) {
  const std::vector<Figure> all = figures(boards);
  const Parameters best = fitted(all, start);
  fmt::print("Constants from {} figures\n", all.size());
  for (const Unknown& unknown : kUnknowns) {
    fmt::print("  {:<28} {:.4g}\n", unknown.key, best.*unknown.value);
  }
  constexpr double kFlatFp32 = 0.83, kFlatTensor = 0.78;
  std::map<std::string, Parameters> without;
  for (const Figure& f : all) {
    if (without.contains(group(*f.gpu))) continue;
    std::vector<Figure> others;
    for (const Figure& other : all) {
      if (group(*other.gpu) != group(*f.gpu)) others.push_back(other);
    }
    without.emplace(group(*f.gpu), fitted(others, start));
  }
  fmt::print("\nln of predicted over measured GEMM rate, chip and form left out\n");
  fmt::print("  {:<18} {:<6} {:>8} {:>8}\n", "board", "math", "flat", "rule");
  std::array<Errors, 2> flat, rule;
  for (const Figure& f : all) {
    const bool fp32 = f.math == Math::kFp32;
    const double before = std::log((fp32 ? kFlatFp32 : kFlatTensor) * f.peak / f.measured);
    const double after = std::log(
        model::sustained_rate(*f.gpu, f.math, f.peak, without.at(group(*f.gpu))) / f.measured);
    fmt::print("  {:<18} {:<6} {:>+8.2f} {:>+8.2f}\n", f.gpu->id, word(f.math), before, after);
    flat[fp32 ? 0 : 1].add(*f.gpu, before);
    rule[fp32 ? 0 : 1].add(*f.gpu, after);
  }
  flat[0].print("FP32, 0.83 of the peak");
  rule[0].print("FP32, rule");
  flat[1].print("tensor cores, 0.78");
  rule[1].print("tensor cores, rule");
}

struct Stream {
  const Gpu* gpu = nullptr;
  double share = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Kinds of memory as model::dram_share tells them apart, and where their shares come from.
Parameters streams_to_shares(const std::vector<Stream>& streams) {
  std::vector<double> hbm, volta, consumer, ecc, all;
  for (const Stream& s : streams) {
    if (!s.gpu->memory_type.starts_with("HBM") && s.gpu->fp32_accumulate_ratio) {
      consumer.push_back(s.share);
    }
  }
  // ECC bits in the memory itself take 1/16 of it and at least as much of the traffic: a faster
  // stream than that leaves of a board without ECC was timed with ECC off.
  const double most = consumer.empty() ? 1 : *std::max_element(consumer.begin(), consumer.end());
  for (const Stream& s : streams) {
    all.push_back(s.share);
    if (s.gpu->memory_type.starts_with("HBM")) {
      if (s.gpu->compute_capability.major != 6) hbm.push_back(s.share);
      if (s.gpu->architecture == "Volta") volta.push_back(s.share);
    } else if (!s.gpu->fp32_accumulate_ratio) {
      (s.share > most * 15 / 16 ? consumer : ecc).push_back(s.share);
    }
  }
  Parameters shares;
  shares.dram_other = median(all);
  const auto of = [&](const std::vector<double>& kind) {
    return kind.empty() ? shares.dram_other : median(kind);
  };
  shares.dram_hbm = of(hbm);
  shares.dram_gddr = of(consumer);
  shares.dram_gddr_ecc = of(ecc);
  // NVIDIA, Tesla V100 whitepaper: 1.5 times the delivered bandwidth of GP100, at 900 and 732 GB/s.
  shares.dram_hbm_pascal = of(volta) * 900.0 / (1.5 * 732.0);
  return shares;
}

/// Median of the nearest boards that there are: same architecture and memory, same memory, any.
double by_table(const Gpu& gpu, const std::vector<Stream>& streams) {
  const std::array<std::function<bool(const Gpu&)>, 3> near = {
      [&](const Gpu& other) {
        return other.architecture == gpu.architecture && other.memory_type == gpu.memory_type;
      },
      [&](const Gpu& other) { return other.memory_type == gpu.memory_type; },
      [](const Gpu&) { return true; }};
  for (const auto& is_near : near) {
    std::vector<double> shares;
    for (const Stream& s : streams) {
      if (is_near(*s.gpu)) shares.push_back(s.share);
    }
    if (!shares.empty()) return median(shares);
  }
  return 1;
}

void print_streams(const catalog::Catalog& boards) {
  std::vector<Stream> all;
  for (const Gpu& gpu : boards.all()) {
    const MaybeFact& stream = gpu.published.dram_stream;
    if (stream && gpu.dram_bandwidth && own(*stream)) {
      all.push_back({&gpu, stream->value / gpu.dram_bandwidth->value});
    }
  }
  const Parameters shares = streams_to_shares(all);
  fmt::print("\nDRAM shares from {} streams\n", all.size());
  fmt::print("  hbm {:.3f}  hbm_pascal {:.3f}  gddr {:.3f}  gddr_ecc {:.3f}  other {:.3f}\n",
             shares.dram_hbm, shares.dram_hbm_pascal, shares.dram_gddr, shares.dram_gddr_ecc,
             shares.dram_other);
  fmt::print("\nln of predicted over measured stream, chip and form left out\n");
  fmt::print("  {:<18} {:>6} {:>8} {:>8} {:>8}\n", "board", "share", "flat", "table", "rule");
  constexpr double kFlat = 0.87;
  Errors flat, table, rule;
  for (const Stream& s : all) {
    std::vector<Stream> others;
    for (const Stream& other : all) {
      if (group(*other.gpu) != group(*s.gpu)) others.push_back(other);
    }
    const double before = std::log(kFlat / s.share);
    const double tabled = std::log(by_table(*s.gpu, others) / s.share);
    const double after = std::log(model::dram_share(*s.gpu, streams_to_shares(others)) / s.share);
    fmt::print("  {:<18} {:>6.3f} {:>+8.2f} {:>+8.2f} {:>+8.2f}\n", s.gpu->id, s.share, before,
               tabled, after);
    flat.add(*s.gpu, before);
    table.add(*s.gpu, tabled);
    rule.add(*s.gpu, after);
  }
  flat.print("0.87 of the data sheet");
  table.print("by architecture and type");
  rule.print("by kind of memory");
}

}  // namespace

int main() {
  const auto boards = catalog::Catalog::load();
  const auto parameters = model::load_parameters();
  if (!boards || !parameters) return 1;
  print_rates(*boards, *parameters);
  print_streams(*boards);
}
