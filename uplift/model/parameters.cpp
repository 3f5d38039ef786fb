// SPDX-License-Identifier: Apache-2.0
// Reads the constants; a missing, misspelt or unused key is an error.
#define TOML_EXCEPTIONS 0
#include "uplift/model/parameters.hpp"

#include "uplift/model/embedded_parameters.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <array>
#include <cmath>

namespace uplift::model {
namespace {

struct Key {
  std::string_view path;
  double Parameters::*value;
};

constexpr std::array kKeys = {
    Key{"sustained.fp64", &Parameters::sustained_fp64},
    Key{"sustained.fp32", &Parameters::sustained_fp32},
    Key{"sustained.fp32_issue_bound", &Parameters::sustained_fp32_issue_bound},
    Key{"sustained.tensor", &Parameters::sustained_tensor},
    Key{"sustained.l2", &Parameters::sustained_l2},
    Key{"dram.hbm", &Parameters::dram_hbm},
    Key{"dram.hbm_pascal", &Parameters::dram_hbm_pascal},
    Key{"dram.gddr", &Parameters::dram_gddr},
    Key{"dram.gddr_ecc", &Parameters::dram_gddr_ecc},
    Key{"dram.other", &Parameters::dram_other},
    Key{"power.idle", &Parameters::idle_power},
    Key{"power.cuda_core_joules", &Parameters::cuda_core_joules},
    Key{"power.tensor_core_joules", &Parameters::tensor_core_joules},
    Key{"power.tensor_width_exponent", &Parameters::tensor_width_exponent},
    Key{"power.exponent", &Parameters::power_exponent},
    Key{"power.softness", &Parameters::power_softness},
    Key{"kernel.floor_cycles", &Parameters::floor_cycles},
    Key{"kernel.overlap_exponent", &Parameters::overlap_exponent},
    Key{"kernel.thread_bytes_per_second", &Parameters::thread_bytes_per_second},
    Key{"kernel.vector_thread_bytes_per_second", &Parameters::vector_thread_bytes_per_second},
    Key{"kernel.l2_reach", &Parameters::l2_reach},
    Key{"kernel.l2_steepness", &Parameters::l2_steepness},
    Key{"kernel.retiled_share", &Parameters::retiled_share},
    Key{"link.pcie", &Parameters::pcie},
    Key{"link.pageable_bytes_per_second", &Parameters::pageable_bytes_per_second},
    Key{"interval.host", &Parameters::host_half_width},
    Key{"interval.unseen_generation", &Parameters::unseen_generation},
    Key{"interval.same_capability", &Parameters::same_capability},
};

struct WidthKey {
  std::string_view name;
  double IntervalWidths::*value;
};

constexpr std::array kWidthKeys = {
    WidthKey{"gemm_tensor_core", &IntervalWidths::gemm_tensor_core},
    WidthKey{"gemm_cuda_core", &IntervalWidths::gemm_cuda_core},
    WidthKey{"conv", &IntervalWidths::conv},
    WidthKey{"attention", &IntervalWidths::attention},
    WidthKey{"elementwise", &IntervalWidths::elementwise},
    WidthKey{"norm", &IntervalWidths::norm},
    WidthKey{"softmax", &IntervalWidths::softmax},
    WidthKey{"other", &IntervalWidths::other},
    WidthKey{"unknown_shape", &IntervalWidths::unknown_shape},
    WidthKey{"copy", &IntervalWidths::copy},
    WidthKey{"collective", &IntervalWidths::collective},
};

[[nodiscard]] Result<double> number(const toml::table& table, std::string_view path,
                                    const std::string& name) {
  const auto value = table.at_path(path).value<double>();
  if (!value || !std::isfinite(*value) || *value <= 0) {
    return failure(ErrorKind::kSyntax, name, fmt::format("{} is missing or not positive", path));
  }
  return *value;
}

}  // namespace

Result<Parameters> parse_parameters(std::string_view text, const std::string& name) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return failure(ErrorKind::kSyntax,
                   fmt::format("{}:{}", name, parsed.error().source().begin.line),
                   std::string(parsed.error().description()));
  }
  const toml::table& table = parsed.table();
  Parameters parameters;
  parameters.version = table["version"].value_or(std::string());
  for (const Key& key : kKeys) {
    const auto value = number(table, key.path, name);
    if (!value) return failure(value.error());
    parameters.*key.value = *value;
  }
  for (const auto& [basis, widths] : {std::pair{"datasheet", &parameters.datasheet},
                                      std::pair{"published", &parameters.published}}) {
    for (const WidthKey& key : kWidthKeys) {
      const auto value = number(table, fmt::format("interval.{}.{}", basis, key.name), name);
      if (!value) return failure(value.error());
      widths->*key.value = *value;
    }
  }
  return parameters;
}

Result<Parameters> load_parameters() {
  return parse_parameters(kParametersText, "data/model/parameters.toml");
}

std::string_view parameters_sha256() { return kParametersSha256; }

}  // namespace uplift::model
