// SPDX-License-Identifier: Apache-2.0
// How far memory-bound kernels of a recording are off when they are carried from card to card, on
// timings that somebody measured on several cards: the source of the interval widths in
// data/model/parameters.toml. No constant of that model is fitted to these cards one by one, so
// every pair is a prediction of a card from another; docs/accuracy.md keeps the table. Products,
// convolutions and attention, and all operations of an op table, have formulas of their own, which
// are fitted on such timings: `uplift validate` says how far those are off.
//
// usage: transfer_error TIMINGS.csv [datasheet|published]
//
// TIMINGS.csv has the columns gpu,kind,math,shape,seconds,timing (tools/collect_timings.py writes
// one). A recording has kernels without their launch, so calls under 1 ms, of which the launch is
// more than a few percent, are left out.
#include "uplift/catalog/catalog.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/kernel_transfer.hpp"
#include "uplift/read/op_table/timing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace uplift;

struct Timing {
  std::string gpu;
  DistinctKernel kernel;
};

KernelClass class_of(OpKind kind) {
  if (kind == OpKind::kSoftmax) return KernelClass::kSoftmax;
  if (kind == OpKind::kLayerNorm) return KernelClass::kNorm;
  return KernelClass::kElementwise;
}

/// Elements read and written, which is what a recording has; nullopt for other operations.
std::optional<TensorShape> recorded(const Op& op) {
  if (const auto* elements = std::get_if<ElementwiseShape>(&op.shape)) {
    return TensorShape{elements->n * elements->inputs, elements->n * elements->outputs};
  }
  if (op.kind != OpKind::kSoftmax && op.kind != OpKind::kLayerNorm) return std::nullopt;
  const auto& rows = std::get<RowsShape>(op.shape);
  return TensorShape{rows.rows * rows.cols, rows.rows * rows.cols};
}

/// Timings by kind and format, then by shape.
using Groups = std::map<std::string, std::map<std::string, std::vector<Timing>>>;

Groups group(const read::TimingTable& table) {
  constexpr double kShortestCall = 1e-3;
  Groups groups;
  for (const read::TimingRow& row : table.rows) {
    const auto shape = recorded(row.op);
    if (!shape || (row.with_launch && row.seconds < kShortestCall)) continue;
    Timing timing;
    timing.gpu = table.gpus[row.gpu];
    timing.kernel.kernel_class = class_of(row.op.kind);
    timing.kernel.math = row.op.math;
    timing.kernel.shape = *shape;
    timing.kernel.element_bytes = row.op.element_bytes;
    timing.kernel.launches = 1;
    timing.kernel.total = Seconds(row.seconds);
    groups[fmt::format("{},{}", word(row.op.kind), word(row.op.math))][render_shape(row.op.shape)]
        .push_back(std::move(timing));
  }
  return groups;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: transfer_error TIMINGS.csv [datasheet|published]\n");
    return 2;
  }
  const model::Basis basis = argc > 2 && std::string_view(argv[2]) == "datasheet"
                                 ? model::Basis::kDatasheet
                                 : model::Basis::kPublished;
  const auto catalog = catalog::Catalog::load();
  const auto parameters = model::load_parameters();
  if (!catalog || !parameters) return 1;
  std::map<std::string, model::GpuModel> models;
  const auto table = read::load_timings(argv[1]);
  if (!table) {
    fmt::print(stderr, "transfer_error: {}\n", table.error().line());
    return 1;
  }
  for (const std::string& id : table->gpus) {
    const Gpu* gpu = catalog->find(id);
    if (gpu == nullptr) {
      fmt::print(stderr, "transfer_error: {} is not in the catalog\n", id);
      return 1;
    }
    models[id] = *model::build_gpu_model(*gpu, basis, *parameters);
  }
  std::map<std::string, std::map<std::string, std::vector<double>>>
      errors;  // kind and format, pair, log error
  for (const auto& [kind, operations] : group(*table)) {
    for (const auto& [operation, timings] : operations) {
      for (const Timing& from : timings) {
        for (const Timing& to : timings) {
          if (from.gpu == to.gpu) continue;
          const auto transfer = predict::transfer_kernel(from.kernel, models[from.gpu],
                                                         models[to.gpu], {}, *parameters);
          errors[kind][from.gpu + " -> " + to.gpu].push_back(
              std::log(transfer.target / to.kernel.total));
        }
      }
    }
  }
  fmt::print("{:<18}{:<36}{:>6}{:>9}{:>9}{:>9}{:>9}\n", "kind,math", "pair", "n", "mean %",
             "median %", "bias %", "q90 |ln|");
  for (const auto& [kind, pairs] : errors) {
    double worst = 0;
    double sum = 0;
    std::vector<double> all;
    for (const auto& [pair, logs] : pairs) {
      std::vector<double> percent;
      std::vector<double> size;
      double mean = 0;
      double bias = 0;
      for (const double log : logs) {
        percent.push_back(100.0 * std::abs(std::exp(log) - 1.0));
        size.push_back(std::abs(log));
        mean += percent.back() / static_cast<double>(logs.size());
        bias += log / static_cast<double>(logs.size());
      }
      all.insert(all.end(), size.begin(), size.end());
      const double width = quantile(size, 0.9);
      worst = std::max(worst, width);
      sum += mean / static_cast<double>(pairs.size());
      fmt::print("{:<18}{:<36}{:>6}{:>9.1f}{:>9.1f}{:>9.1f}{:>9.2f}\n", kind, pair, logs.size(),
                 mean, quantile(percent, 0.5), 100.0 * (std::exp(bias) - 1.0), width);
    }
    fmt::print("{:<18}{:<36}{:>6}{:>9.1f}{:>27}{:>9.2f}  worst {:.2f}\n", kind, "all pairs",
               all.size(), sum, "", quantile(all, 0.9), worst);
  }
  return 0;
}
