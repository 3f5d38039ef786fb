// SPDX-License-Identifier: Apache-2.0
// Leave-one-GPU-out accuracy of one family of operations.
//
// usage: family_error FAMILY TIMINGS.csv [--source] [--dump FILE]
#include "uplift/catalog/catalog.hpp"
#include "uplift/fit/leave_one_out.hpp"
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
  fit::LeaveOneOutOptions options;
  const char* dump = nullptr;
  for (int i = 3; i < argc; ++i) {
    if (std::strcmp(argv[i], "--source") == 0) options.from_source = true;
    if (std::strcmp(argv[i], "--no-overhead") == 0) options.fit.overhead = false;
    if (std::strcmp(argv[i], "--rows") == 0)
      options.rows_scored = std::strtoul(argv[i + 1], nullptr, 10);
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
    sample.op = parse_op(f[1], f[2], f[3]);
    sample.seconds = std::strtod(f[4].c_str(), nullptr);
    data.samples.push_back(sample);
  }
  fmt::print("{} samples, {} cards\n", data.samples.size(), data.cards.size());
  std::ofstream dumped;
  if (dump != nullptr) dumped.open(dump);
  for (const auto& [name, knowledge] :
       {std::pair{"D", fit::Knowledge::kDatasheet}, std::pair{"P", fit::Knowledge::kPublished},
        std::pair{"M", fit::Knowledge::kMeasured}}) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<fit::FamilyFit> fits;
    const auto predictions = fit::leave_one_out(*family, data, knowledge, options, &fits);
    std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> errors;
    for (const auto& p : predictions) {
      errors[{p.target, p.source}].push_back(std::log(p.seconds / p.sample->seconds));
      if (dumped) {
        dumped << name << ',' << data.cards[p.target].id << ',' << data.cards[p.source].id << ','
               << render_shape(p.sample->op.shape) << ',' << p.sample->seconds << ',' << p.seconds
               << ',' << std::sqrt(p.variance) << '\n';
      }
    }
    double sum = 0;
    std::string cells;
    for (const auto& [pair, logs] : errors) {
      std::vector<double> percent;
      double mean = 0, bias = 0;
      for (const double log : logs) {
        percent.push_back(100.0 * std::abs(std::exp(log) - 1.0));
        mean += percent.back() / static_cast<double>(logs.size());
        bias += log / static_cast<double>(logs.size());
      }
      sum += mean;
      cells += fmt::format(
          "   {:>16} <- {:<16} n {:>5} mean {:5.1f} median {:5.1f} p90 {:5.1f} bias {:+6.1f}\n",
          data.cards[pair.first].id,
          pair.first == pair.second ? "shape" : data.cards[pair.second].id, logs.size(), mean,
          quantile(percent, 0.5), quantile(percent, 0.9), 100.0 * (std::exp(bias) - 1.0));
    }
    fmt::print("{}: mean {:.2f} %   ({:.1f} s)\n{}", name, sum / static_cast<double>(errors.size()),
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
               cells);
    for (const auto& fit : fits) {
      std::string text;
      for (std::size_t i = 0; i < fit.constants.size(); ++i)
        text += fmt::format("{}={:.3g} ", family->parameters()[i].name, fit.constants[i]);
      text += fmt::format("| mean {:+.2f} {:+.2f} {:.1f}us sigma {:.2f} |", fit.mean.compute,
                          fit.mean.memory, fit.mean.overhead * 1e6, fit.sigma);
      for (const auto& [c, s] : fit.cards)
        text += fmt::format(" {} {:+.2f}/{:+.2f}/{:.0f}", data.cards[c].id.substr(0, 7), s.compute,
                            s.memory, s.overhead * 1e6);
      fmt::print("     {}\n", text);
    }
  }
  return 0;
}
