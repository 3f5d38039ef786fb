// SPDX-License-Identifier: Apache-2.0
// How far whole recordings are off: each step replayed on its own card, and, for two recordings of
// one program on two cards, the kernels that both have. docs/accuracy.md keeps the tables.
//
// usage: trace_error TRACE…               replays each on the card that it names
//        trace_error --pair TRACE TRACE   the second one's kernels, predicted from the first
#include "uplift/catalog/catalog.hpp"
#include "uplift/model/gpu_model.hpp"
#include "uplift/predict/kernel_transfer.hpp"
#include "uplift/predict/step_prediction.hpp"
#include "uplift/read/load_workload.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace {

using namespace uplift;

struct Recording {
  Workload workload;
  model::GpuModel card;
};

std::optional<Recording> load(const std::string& path, const catalog::Catalog& catalog,
                              const model::Parameters& parameters) {
  auto workload = read::load_workload(path);
  if (!workload) {
    fmt::print(stderr, "trace_error: {}\n", workload.error().line());
    return std::nullopt;
  }
  const auto index = static_cast<std::size_t>(workload->device);
  if (index >= workload->devices.size()) return std::nullopt;
  const RecordedDevice& device = workload->devices[index];
  const auto found = catalog.resolve_device(
      {device.name, device.sm_count, static_cast<double>(device.memory_bytes),
       ComputeCapability{device.compute_major, device.compute_minor}});
  if (!found) {
    fmt::print(stderr, "trace_error: {}: {}\n", path, found.error().line());
    return std::nullopt;
  }
  auto card = model::build_gpu_model(*found->gpu, model::Basis::kPublished, parameters);
  if (!card) return std::nullopt;
  return Recording{std::move(*workload), std::move(*card)};
}

using Signature = std::tuple<std::string, std::array<std::int64_t, 3>, std::array<std::int64_t, 3>>;

/// Launches and time by name, grid and block.
std::map<Signature, DistinctKernel> by_signature(const Workload& workload) {
  std::map<Signature, DistinctKernel> kernels;
  for (const DistinctKernel& kernel : workload.kernels) {
    const Signature signature{kernel.name, kernel.launch.grid, kernel.launch.block};
    const auto [entry, is_new] = kernels.try_emplace(signature, kernel);
    if (is_new) continue;
    entry->second.launches += kernel.launches;
    entry->second.total += kernel.total;
  }
  return kernels;
}

void print_pair(const Recording& from, const Recording& to, const model::Parameters& parameters) {
  const auto there = by_signature(to.workload);
  int matched = 0;
  double weight = 0;
  double error = 0;
  double bias = 0;
  for (const auto& [signature, kernel] : by_signature(from.workload)) {
    const auto found = there.find(signature);
    if (found == there.end()) continue;
    const auto transfer = predict::transfer_kernel(kernel, from.card, to.card, {}, parameters);
    const double log = std::log(transfer.target / found->second.mean());
    ++matched;
    weight += kernel.total.value();
    error += kernel.total.value() * std::abs(std::exp(log) - 1.0);
    bias += kernel.total.value() * log;
  }
  if (matched == 0) {
    fmt::print("{} -> {}: no kernel in common\n", from.card.id, to.card.id);
    return;
  }
  fmt::print("{} -> {}: {} kernels, weighted error {:.1f} %, bias {:+.1f} %\n", from.card.id,
             to.card.id, matched, 100.0 * error / weight, 100.0 * (std::exp(bias / weight) - 1.0));
}

void print_replay(const std::string& path, const Recording& recording,
                  const model::Parameters& parameters) {
  const auto step =
      predict::predict_step(recording.workload, recording.card, recording.card, parameters);
  const double host =
      step.source_by_bound[static_cast<std::size_t>(Bound::kHost)] / recording.workload.step_length;
  fmt::print("{:<18}{:>6}{:>12.3f}{:>8.1f}{:>8.1f}{:>10.1f}  {}\n", recording.card.id,
             recording.workload.steps, 1e3 * recording.workload.step_length.value(),
             100.0 * (recording.workload.busy / recording.workload.step_length), 100.0 * host,
             100.0 / step.replay_scale, path.substr(path.rfind('/') + 1));
}

}  // namespace

int main(int argc, char** argv) {
  const bool pair = argc == 4 && std::string_view(argv[1]) == "--pair";
  if (argc < 2 || (!pair && argv[1][0] == '-')) {
    fmt::print(stderr, "usage: trace_error TRACE… | trace_error --pair TRACE TRACE\n");
    return 2;
  }
  const auto catalog = catalog::Catalog::load();
  const auto parameters = model::load_parameters();
  if (!catalog || !parameters) return 1;
  if (pair) {
    const auto from = load(argv[2], *catalog, *parameters);
    const auto to = load(argv[3], *catalog, *parameters);
    if (!from || !to) return 1;
    print_pair(*from, *to, *parameters);
    print_pair(*to, *from, *parameters);
    return 0;
  }
  fmt::print("{:<18}{:>6}{:>12}{:>8}{:>8}{:>10}  {}\n", "card", "steps", "step ms", "busy %",
             "host %", "replay %", "trace");
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    const auto recording = load(argv[i], *catalog, *parameters);
    if (recording) {
      print_replay(argv[i], *recording, *parameters);
    } else {
      ++failed;
    }
  }
  return failed == argc - 1 ? 1 : 0;
}
