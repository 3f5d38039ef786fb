// SPDX-License-Identifier: Apache-2.0
// Single operations on cards that the constants had not seen, from public timings: the mean errors
// must stay below limits that hold today with a tenth to spare. A few hundred rows a card are used,
// so that it takes a minute; docs/accuracy.md has the figures of all.
#include "tests/reference/shared_data.hpp"
#include "uplift/catalog/catalog.hpp"
#include "uplift/fit/timing_table.hpp"
#include "uplift/fit/validation.hpp"
#include "uplift/read/op_table/timing_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unistd.h>

namespace uplift {
namespace {

namespace fs = std::filesystem;

/// Means over the cards of the public collections, as shares of the measured time.
struct Limit {
  std::string_view family;
  std::string_view basis;
  double from_shape, from_source;
};

constexpr std::array kLimits = {
    Limit{"gemm_fp32", "datasheet", 0.192, 0.191},
    Limit{"gemm_fp32", "published", 0.165, 0.163},
    Limit{"gemm_fp32", "measured", 0.150, 0.150},
    Limit{"gemm_batched_fp32", "datasheet", 0.174, 0.174},
    Limit{"gemm_batched_fp32", "published", 0.153, 0.152},
    Limit{"gemm_batched_fp32", "measured", 0.101, 0.101},
    Limit{"gemm_tensor", "datasheet", 0.108, 0.101},
    Limit{"gemm_tensor", "published", 0.118, 0.110},
    Limit{"gemm_tensor", "measured", 0.096, 0.090},
    Limit{"gemm_fp8", "datasheet", 0.193, 0.178},
    Limit{"gemm_fp8", "published", 0.154, 0.145},
    Limit{"gemm_fp8", "measured", 0.158, 0.149},
    Limit{"conv_fp32", "datasheet", 0.269, 0.216},
    Limit{"conv_fp32", "published", 0.294, 0.238},
    Limit{"conv_fp32", "measured", 0.209, 0.123},
    Limit{"attention_prefill", "datasheet", 0.098, 0.094},
    Limit{"attention_prefill", "published", 0.093, 0.088},
    Limit{"attention_prefill", "measured", 0.072, 0.069},
    Limit{"attention_decode", "datasheet", 0.106, 0.106},
    Limit{"attention_decode", "published", 0.096, 0.096},
    Limit{"attention_decode", "measured", 0.075, 0.074},
    Limit{"softmax", "datasheet", 0.079, 0.081},
    Limit{"softmax", "published", 0.076, 0.079},
    Limit{"softmax", "measured", 0.048, 0.049},
    Limit{"layernorm", "datasheet", 0.119, 0.117},
    Limit{"layernorm", "published", 0.116, 0.114},
    Limit{"layernorm", "measured", 0.047, 0.044},
    Limit{"elementwise", "datasheet", 0.030, 0.029},
    Limit{"elementwise", "published", 0.027, 0.025},
    Limit{"elementwise", "measured", 0.011, 0.010},
    Limit{"collective", "datasheet", 0.175, 0.134},
    Limit{"collective", "published", 0.165, 0.121},
    Limit{"collective", "measured", 0.127, 0.114},
};

/// Cards of which there are own timings only, few of each kind.
constexpr std::string_view kOwn = "h200-sxm-141gb";

std::vector<fit::FamilyTimings> load(const fs::path& data) {
  const fs::path file =
      fs::temp_directory_path() / ("uplift_timings_" + std::to_string(::getpid()));
  const std::string command = std::string("'") + UPLIFT_PYTHON + "' '" + UPLIFT_SOURCE_DIR +
                              "/tools/collect_timings.py' '" + data.string() + "' > '" +
                              file.string() + "'";
  EXPECT_EQ(0, std::system(command.c_str())) << command;
  auto table = read::load_timings(file.string());
  fs::remove(file);
  if (!table) {
    ADD_FAILURE() << table.error().line();
    return {};
  }
  EXPECT_EQ(0U, table->unusable) << table->first_unusable;
  const auto catalog = catalog::Catalog::load().value();
  const auto parameters = model::load_parameters().value();
  std::map<std::string, fit::CardModels> cards;
  for (const std::string& id : table->gpus) {
    const auto build = [&](model::Basis basis) {
      return model::build_gpu_model(*catalog.find(id), basis, parameters).value();
    };
    cards.emplace(
        id, fit::CardModels{build(model::Basis::kDatasheet), build(model::Basis::kPublished)});
  }
  std::vector<fit::Timing> timings;
  for (read::TimingRow& row : table->rows) {
    timings.push_back({table->gpus[row.gpu], std::move(row.op), row.seconds, row.with_launch});
  }
  return fit::split_by_family(timings, cards);
}

TEST(OpAccuracy, MeanErrorsOnCardsLeftOutStayBelowTheirLimits) {
  const fs::path neusight = shared_data("neusight");
  if (neusight.empty()) {
    GTEST_SKIP() << "no public timings; UPLIFT_SHARED names where they are";
  }
  fit::ValidationOptions options;
  options.rows = 250;
  options.study.intervals = false;  // widths take a fit more for each card
  options.study.fit.rows_per_card = 60;
  options.study.fit.iterations = 25;
  std::size_t compared = 0;
  for (const auto& [family, data] : load(neusight.parent_path())) {
    std::vector<std::string> notes;
    auto rows = fit::validate_family(*family, data, nullptr, options, notes);
    std::erase_if(rows,
                  [](const ErrorRow& row) { return row.target == kOwn || row.source == kOwn; });
    for (const ErrorSummary& one : fit::summarise(rows)) {
      std::printf("%-18s %-10s %-7s cards %zu  mean %5.1f %%  worst %5.1f %% %s\n",
                  one.family.c_str(), one.basis.c_str(), one.from_source ? "source" : "shape",
                  one.targets, 100 * one.mean, 100 * one.worst, one.worst_on.c_str());
      for (const Limit& limit : kLimits) {
        if (limit.family != one.family || limit.basis != one.basis) continue;
        ++compared;
        EXPECT_LE(one.mean, one.from_source ? limit.from_source : limit.from_shape)
            << one.family << ' ' << one.basis << (one.from_source ? " from a source" : "");
      }
    }
  }
  EXPECT_EQ(2 * kLimits.size(), compared);
}

}  // namespace
}  // namespace uplift
