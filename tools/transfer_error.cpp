// SPDX-License-Identifier: Apache-2.0
// How far the transfer of single operations from card to card is off, on timings that somebody
// measured on several cards: the source of the interval widths in data/model/parameters.toml. No
// constant of the model is fitted to these cards one by one, so every pair is a prediction of a
// card from another; docs/accuracy.md keeps the table.
//
// usage: transfer_error TIMINGS.csv [datasheet|published]
//
// TIMINGS.csv has the columns gpu,kind,math,shape,seconds (tools/collect_timings.py writes one).
#include "uplift/catalog/catalog.hpp"
#include "uplift/core/workload.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/kernel_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace uplift;

struct Timing {
  std::string gpu;
  DistinctKernel kernel;
};

std::int64_t extent(std::string_view shape, std::string_view key, std::int64_t fallback) {
  for (std::size_t at = 0; at < shape.size();) {
    const std::size_t end = std::min(shape.find(';', at), shape.size());
    const std::string_view item = shape.substr(at, end - at);
    if (item.size() > key.size() && item.substr(0, key.size()) == key && item[key.size()] == '=') {
      std::int64_t value = fallback;
      const char* end_of_item = item.data() + item.size();
      const auto parsed = std::from_chars(item.data() + key.size() + 1, end_of_item, value);
      if (parsed.ec != std::errc() || parsed.ptr != end_of_item) {
        fmt::print(stderr, "transfer_error: {} is not a number in {}\n", item, shape);
        std::exit(1);
      }
      return value;
    }
    at = end + 1;
  }
  return fallback;
}

OpShape parse_shape(std::string_view kind, std::string_view text) {
  const auto of = [&](std::string_view key, std::int64_t fallback = 1) {
    return extent(text, key, fallback);
  };
  if (kind == "gemm") return GemmShape{of("b"), of("m"), of("n"), of("k")};
  if (kind == "conv2d") {
    ConvShape shape;
    shape.n = of("n");
    shape.c = of("c");
    shape.k = of("k");
    shape.spatial = {1, of("h"), of("w")};
    shape.filter = {1, of("r"), of("s")};
    for (std::size_t i = 1; i < 3; ++i) {
      shape.out[i] = (shape.spatial[i] + 2 * of("pad", 0) - shape.filter[i]) / of("stride") + 1;
    }
    return shape;
  }
  if (kind == "attention") {
    return AttentionShape{of("b"),      of("q_heads"), of("kv_heads"),       of("q_len"),
                          of("kv_len"), of("d"),       of("causal", 0) != 0, false};
  }
  if (kind == "elementwise") return TensorShape{of("n") * of("inputs"), of("n") * of("outputs")};
  const std::int64_t elements = of("rows") * of("cols");
  return TensorShape{elements, elements};
}

KernelClass parse_kind(std::string_view kind) {
  if (kind == "gemm") return KernelClass::kGemm;
  if (kind == "conv2d") return KernelClass::kConv;
  if (kind == "attention") return KernelClass::kAttention;
  if (kind == "softmax") return KernelClass::kSoftmax;
  if (kind == "layernorm") return KernelClass::kNorm;
  return KernelClass::kElementwise;
}

/// Timings by kind, format and shape.
std::map<std::string, std::vector<Timing>> load_timings(const char* path) {
  std::map<std::string, std::vector<Timing>> groups;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    if (fields.size() != 5) continue;
    Timing timing;
    timing.gpu = fields[0];
    timing.kernel.kernel_class = parse_kind(fields[1]);
    timing.kernel.math = parse_math(fields[2]);
    timing.kernel.shape = parse_shape(fields[1], fields[3]);
    timing.kernel.element_bytes = storage_bytes(timing.kernel.math.value_or(Math::kFp32));
    timing.kernel.launches = 1;
    timing.kernel.total = Seconds(std::strtod(fields[4].c_str(), nullptr));
    groups[fields[1] + "," + fields[2] + "," + fields[3]].push_back(std::move(timing));
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
  std::map<std::string, std::map<std::string, std::vector<double>>>
      errors;  // kind, pair, log error
  for (const auto& [key, timings] : load_timings(argv[1])) {
    const std::string kind = key.substr(0, key.find(',', key.find(',') + 1));
    for (const Timing& from : timings) {
      for (const Timing& to : timings) {
        if (from.gpu == to.gpu) continue;
        for (const std::string& id : {from.gpu, to.gpu}) {
          const Gpu* gpu = catalog->find(id);
          if (gpu == nullptr) {
            fmt::print(stderr, "transfer_error: {} is not in the catalog\n", id);
            return 1;
          }
          if (!models.contains(id)) {
            models[id] = *model::build_gpu_model(*gpu, basis, *parameters);
          }
        }
        const auto transfer = predict::transfer_kernel(from.kernel, models[from.gpu],
                                                       models[to.gpu], {}, *parameters);
        errors[kind][from.gpu + " -> " + to.gpu].push_back(
            std::log(transfer.target / to.kernel.total));
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
