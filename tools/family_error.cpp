// SPDX-License-Identifier: Apache-2.0
// Leave-one-GPU-out accuracy of one family of operations.
//
// usage: family_error FAMILY TIMINGS.csv [--source] [--dump FILE]
#include "uplift/catalog/catalog.hpp"
#include "uplift/fit/family_study.hpp"
#include "uplift/predict/op/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

using namespace uplift;

namespace {

std::string_view text_of(std::string_view shape, std::string_view key) {
  for (std::size_t at = 0; at < shape.size();) {
    const std::size_t end = std::min(shape.find(';', at), shape.size());
    const std::string_view item = shape.substr(at, end - at);
    if (item.size() > key.size() && item.substr(0, key.size()) == key && item[key.size()] == '=')
      return item.substr(key.size() + 1);
    at = end + 1;
  }
  return {};
}

Op parse_op(std::string_view kind, std::string_view math, std::string_view text) {
  const auto of = [&](std::string_view key, std::int64_t fallback = 1) {
    const auto found = text_of(text, key);
    return found.empty() ? fallback : std::strtoll(std::string(found).c_str(), nullptr, 10);
  };
  Op op;
  op.kind = *parse_op_kind(kind);
  op.math = *parse_math(math);
  op.element_bytes = op.out_element_bytes = storage_bytes(op.math);
  switch (op.kind) {
    case OpKind::kGemm:
      op.shape = GemmShape{of("b"), of("m"), of("n"), of("k")};
      break;
    case OpKind::kConv2d:
    case OpKind::kConv3d: {
      ConvShape s;
      s.n = of("n");
      s.c = of("c");
      s.k = of("k");
      s.groups = of("groups");
      s.spatial = {of("d"), of("h"), of("w")};
      s.filter = {of("t"), of("r"), of("s")};
      for (std::size_t i = 0; i < 3; ++i) {
        const bool used = i > 0 || op.kind == OpKind::kConv3d;
        s.stride[i] = used ? of("stride") : 1;
        s.dilation[i] = used ? of("dilation") : 1;
        s.out[i] =
            (s.spatial[i] + 2 * (used ? of("pad", 0) : 0) - s.dilation[i] * (s.filter[i] - 1) - 1) /
                s.stride[i] +
            1;
      }
      const auto pass = text_of(text, "pass");
      s.pass = pass == "dgrad"   ? ConvPass::kDataGradient
               : pass == "wgrad" ? ConvPass::kWeightGradient
                                 : ConvPass::kForward;
      op.shape = s;
      break;
    }
    case OpKind::kAttention:
      op.shape = AttentionShape{
          of("b"),      of("q_heads"), of("kv_heads"),       of("q_len"),
          of("kv_len"), of("d"),       of("causal", 0) != 0, text_of(text, "pass") == "bwd"};
      break;
    case OpKind::kElementwise: {
      ElementwiseShape s{of("n"), of("inputs"), of("outputs"), ElementwiseOp::kOther};
      for (std::size_t i = 0; i < kElementwiseWords.size(); ++i) {
        if (kElementwiseWords[i] == text_of(text, "op")) s.op = static_cast<ElementwiseOp>(i);
      }
      op.shape = s;
      break;
    }
    case OpKind::kSoftmax:
    case OpKind::kLayerNorm:
    case OpKind::kReduce:
    case OpKind::kEmbedding:
      op.shape = RowsShape{of("rows"), of("cols"), text_of(text, "pass") == "bwd"};
      break;
    case OpKind::kAllReduce:
    case OpKind::kAllGather:
    case OpKind::kReduceScatter:
    case OpKind::kAllToAll:
    case OpKind::kSendRecv:
      op.shape = CollectiveShape{of("bytes"), of("ranks"), of("nodes")};
      break;
    default:
      break;
  }
  return op;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const predict::OpFamily* family = nullptr;
  for (const auto* one : predict::op_families()) {
    if (one->name() == argv[1]) family = one;
  }
  if (family == nullptr) {
    fmt::print("no family {}\n", argv[1]);
    return 2;
  }
  fit::StudyOptions options;
  bool from_source = false;
  bool overhead = true;
  std::size_t rows = 2000;
  const char* dump = nullptr;
  for (int i = 3; i < argc; ++i) {
    if (std::strcmp(argv[i], "--source") == 0) from_source = true;
    if (std::strcmp(argv[i], "--no-overhead") == 0) overhead = false;
    if (std::strcmp(argv[i], "--rows") == 0) rows = std::strtoul(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--timed") == 0)
      options.timed = std::strtoul(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--dump") == 0) dump = argv[i + 1];
  }
  const auto catalog = catalog::Catalog::load();
  const auto parameters = model::load_parameters();
  fit::Dataset data;
  std::map<std::string, std::size_t> cards;
  std::map<std::string, std::uint32_t> groups;
  std::ifstream file(argv[2]);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> f(1);
    for (const char c : line) {
      if (c == ',')
        f.emplace_back();
      else
        f.back() += c;
    }
    if (f.size() != 5) continue;
    if (!cards.contains(f[0])) {
      cards[f[0]] = data.cards.size();
      fit::FitCard card;
      card.id = f[0];
      for (const auto basis : {model::Basis::kDatasheet, model::Basis::kPublished}) {
        const auto built = model::build_gpu_model(*catalog->find(f[0]), basis, *parameters);
        for (const Math math : kMaths)
          (basis == model::Basis::kDatasheet ? card.datasheet : card.published)[index(math)] =
              predict::describe_card(*built, math);
      }
      data.cards.push_back(card);
    }
    fit::Sample sample;
    sample.card = cards[f[0]];
    sample.group = groups.emplace(f[1] + f[2] + f[3], groups.size()).first->second;
    sample.timed.op = parse_op(f[1], f[2], f[3]);
    sample.timed.seconds = std::strtod(f[4].c_str(), nullptr);
    data.samples.push_back(sample);
  }
  fmt::print("{} samples, {} cards\n", data.samples.size(), data.cards.size());
  std::ofstream dumped;
  if (dump != nullptr) dumped.open(dump);
  for (auto& card : data.cards) card.with_launch = overhead && card.id != "h200-sxm-141gb";
  const auto start = std::chrono::steady_clock::now();
  std::vector<predict::FamilyKnowledge> studies;
  for (std::size_t target = 0; target < data.cards.size(); ++target) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < data.cards.size(); ++i)
      if (i != target) others.push_back(i);
    studies.push_back(fit::study_family(*family, data, others, options));
  }
  fmt::print("studied in {:.1f} s\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  for (const auto knowledge : predict::kKnowledges) {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> errors;
    std::map<std::size_t, std::vector<double>> inside, widths;
    for (std::size_t target = 0; target < data.cards.size(); ++target) {
      std::vector<std::size_t> others;
      for (std::size_t i = 0; i < data.cards.size(); ++i)
        if (i != target && from_source) others.push_back(i);
      for (const auto& p : fit::predict_card(*family, studies[target], data, target, others,
                                             knowledge, rows, options)) {
        const double log = std::log(p.seconds / p.sample->timed.seconds);
        errors[{p.target, p.source}].push_back(log);
        inside[target].push_back(std::abs(log) <= p.log_half_width);
        widths[target].push_back(std::exp(2 * p.log_half_width));
        if (dumped) {
          dumped << word(knowledge)[0] << ',' << data.cards[p.target].id << ','
                 << data.cards[p.source].id << ',' << render_shape(p.sample->timed.op.shape) << ','
                 << p.sample->timed.seconds << ',' << p.seconds << ',' << p.log_half_width << '\n';
        }
      }
    }
    double sum = 0;
    std::string cells;
    std::vector<double> all_widths;
    double cover = 0;
    for (const auto& [t, w] : widths) all_widths.insert(all_widths.end(), w.begin(), w.end());
    for (const auto& [pair, logs] : errors) {
      std::vector<double> percent;
      double mean = 0, bias = 0;
      for (const double log : logs) {
        percent.push_back(100.0 * std::abs(std::exp(log) - 1.0));
        mean += percent.back() / static_cast<double>(logs.size());
        bias += log / static_cast<double>(logs.size());
      }
      sum += mean;
      double in = 0;
      for (const double one : inside[pair.first])
        in += one / static_cast<double>(inside[pair.first].size());
      cover += in / static_cast<double>(errors.size());
      cells += fmt::format(
          "   {:>16} <- {:<16} n {:>5} mean {:5.1f} median {:5.1f} p90 {:5.1f} bias {:+6.1f}  "
          "cover {:.2f} high/low {:.2f}\n",
          data.cards[pair.first].id,
          pair.first == pair.second ? "shape" : data.cards[pair.second].id, logs.size(), mean,
          quantile(percent, 0.5), quantile(percent, 0.9), 100.0 * (std::exp(bias) - 1.0), in,
          quantile(widths[pair.first], 0.5));
    }
    fmt::print("{}: mean {:.2f} %  cover {:.2f}  median high/low {:.2f}\n{}", word(knowledge),
               sum / static_cast<double>(errors.size()), cover, quantile(all_widths, 0.5), cells);
  }
  for (std::size_t t = 0; t < studies.size(); ++t) {
    const auto& s = studies[t];
    std::string text = fmt::format("without {}: ", data.cards[t].id);
    for (std::size_t i = 0; i < s.constants.size(); ++i)
      text += fmt::format("{}={:.3g} ", family->parameters()[i].name, s.constants[i]);
    text += fmt::format(
        "| noise {:.2f} field var {:.3f} reach {} nugget {} carry {:.3f} {:.2f} {:.3f} {:.2f} q "
        "{:.2f} {:.2f} {:.2f} |",
        s.noise, s.field[2].variance, s.field[2].reach, s.field[2].nugget, s.carry.kernel,
        s.carry.kernel_shared, s.carry.overhead, s.carry.overhead_shared, s.interval[0],
        s.interval[1], s.interval[2]);
    for (int k = 0; k < 2; ++k)
      text += fmt::format(" {} {:+.2f}±{:.2f} {:+.2f}±{:.2f} {:.0f}us", k ? "P" : "D",
                          s.mean[k].compute, s.spread[k].compute, s.mean[k].memory,
                          s.spread[k].memory, s.mean[k].overhead * 1e6);
    fmt::print("{}\n", text);
  }
  return 0;
}
