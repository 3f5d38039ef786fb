// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/conv_work.hpp"

namespace uplift::predict {
namespace {

double product(const std::array<std::int64_t, 3>& extents) {
  return static_cast<double>(extents[0]) * static_cast<double>(extents[1]) *
         static_cast<double>(extents[2]);
}

}  // namespace

ConvWork describe_conv(const Op& op) {
  ConvWork work;
  const auto* shape = std::get_if<ConvShape>(&op.shape);
  if (shape == nullptr) return work;
  const double images = static_cast<double>(shape->n);
  const double in = product(shape->spatial);
  const double out = product(shape->out);
  const double taps = product(shape->filter);
  work.groups = static_cast<double>(shape->groups);
  const double c = std::max(1.0, static_cast<double>(shape->c) / work.groups);
  const double k = std::max(1.0, static_cast<double>(shape->k) / work.groups);
  work.element_bytes = op.element_bytes;
  work.input = images * in * c * work.groups;
  work.weights = c * k * taps * work.groups;
  work.output = images * out * k * work.groups;
  work.flops = 2.0 * work.output * c * taps;
  switch (shape->pass) {
    case ConvPass::kForward:
      work.rows = images * out;
      work.columns = k;
      work.channels = c;
      work.taps = taps;
      break;
    case ConvPass::kDataGradient: {
      const double reaching = taps * out / in;
      work.rows = images * in * std::min(1.0, reaching);
      work.columns = c;
      work.channels = k;
      work.taps = std::max(1.0, reaching);
      break;
    }
    case ConvPass::kWeightGradient:
      work.rows = k;
      work.columns = c * taps;
      work.channels = images * out;
      work.taps = 1;
      break;
  }
  return work;
}

}  // namespace uplift::predict
