// SPDX-License-Identifier: Apache-2.0
// Parents stand before their children, so one pass forward builds the tree and one backward sums
// it.
#include "uplift/decide/stack_times.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace uplift::decide {
namespace {

/// The profiler's own mark of a step: the same places would be apart in every step.
constexpr std::string_view kStepMark = "ProfilerStep#";

struct Node {
  std::int32_t parent = -1;
  const std::string* name = nullptr;
  double launches = 0;
  double seconds = 0;
  std::vector<std::int32_t> children;
};

/// Kernels under none of `places`, where it is more than rounding.
void add_rest(const Workload& workload, std::vector<PlaceTime>& places) {
  if (places.empty()) return;
  PlaceTime rest;
  for (const DistinctKernel& kernel : workload.kernels) {
    rest.launches += static_cast<double>(kernel.launches) / workload.step_count();
    rest.seconds += kernel.total.value() / workload.step_count();
  }
  const double rounding = 1e-6 * rest.seconds;
  for (const PlaceTime& place : places) {
    if (place.depth > 0) continue;
    rest.launches -= place.launches;
    rest.seconds -= place.seconds;
  }
  rest.launches = std::max(0.0, rest.launches);
  if (rest.seconds > rounding) places.push_back(std::move(rest));
}

void sort_by_time(std::vector<PlaceTime>& places) {
  std::stable_sort(places.begin(), places.end(),
                   [](const PlaceTime& a, const PlaceTime& b) { return a.seconds > b.seconds; });
}

/// `Qwen2MLP` of `Qwen2MLP_13`; a name without such a number is all type.
std::string_view module_type(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const bool numbered =
      last != std::string_view::npos && last > 0 && last + 1 < name.size() && name[last] == '_';
  return numbered ? name.substr(0, last) : name;
}

}  // namespace

std::vector<PlaceTime> stack_times(const Workload& workload, FrameKind kind) {
  std::vector<Node> nodes;
  std::map<std::pair<std::int32_t, std::string_view>, std::int32_t> known;
  std::vector<std::int32_t> node_of(workload.stacks.size(), -1);
  for (std::size_t i = 0; i < workload.stacks.size(); ++i) {
    const StackFrame& frame = workload.stacks[i];
    const bool has_parent = frame.parent >= 0 && static_cast<std::size_t>(frame.parent) < i;
    const std::int32_t parent = has_parent ? node_of[static_cast<std::size_t>(frame.parent)] : -1;
    node_of[i] = parent;
    if (frame.kind == kind && !frame.name.starts_with(kStepMark)) {
      const auto next = static_cast<std::int32_t>(nodes.size());
      const auto [found, is_new] = known.try_emplace({parent, frame.name}, next);
      if (is_new) nodes.push_back({parent, &frame.name, 0, 0, {}});
      node_of[i] = found->second;
    }
    if (node_of[i] >= 0) {
      Node& node = nodes[static_cast<std::size_t>(node_of[i])];
      node.launches += static_cast<double>(frame.launches) / workload.step_count();
      node.seconds += frame.total.value() / workload.step_count();
    }
  }
  std::vector<std::int32_t> roots;
  for (auto i = static_cast<std::int32_t>(nodes.size()) - 1; i >= 0; --i) {
    const Node& node = nodes[static_cast<std::size_t>(i)];
    if (node.parent < 0) {
      roots.push_back(i);
      continue;
    }
    Node& parent = nodes[static_cast<std::size_t>(node.parent)];
    parent.launches += node.launches;
    parent.seconds += node.seconds;
    parent.children.push_back(i);
  }
  // Slowest last on the stack's top; equal ones in the order of the recording.
  const auto slower_last = [&](std::int32_t a, std::int32_t b) {
    const double first = nodes[static_cast<std::size_t>(a)].seconds;
    const double second = nodes[static_cast<std::size_t>(b)].seconds;
    return first != second ? first < second : a > b;
  };
  std::sort(roots.begin(), roots.end(), slower_last);
  std::vector<PlaceTime> places;
  std::vector<std::pair<std::int32_t, int>> open;
  open.reserve(roots.size());
  for (const std::int32_t root : roots) open.emplace_back(root, 0);
  while (!open.empty()) {
    const auto [at, depth] = open.back();
    open.pop_back();
    Node& node = nodes[static_cast<std::size_t>(at)];
    if (node.launches <= 0) continue;
    places.push_back({*node.name, depth, node.launches, node.seconds});
    std::sort(node.children.begin(), node.children.end(), slower_last);
    for (const std::int32_t child : node.children) open.emplace_back(child, depth + 1);
  }
  add_rest(workload, places);
  return places;
}

std::vector<PlaceTime> module_type_times(const Workload& workload) {
  std::map<std::string_view, PlaceTime> by_type;
  std::vector<std::string_view> type_of(workload.stacks.size());
  for (std::size_t i = 0; i < workload.stacks.size(); ++i) {
    const StackFrame& frame = workload.stacks[i];
    if (frame.kind == FrameKind::kModule) {
      type_of[i] = module_type(frame.name);
    } else if (frame.parent >= 0 && static_cast<std::size_t>(frame.parent) < i) {
      type_of[i] = type_of[static_cast<std::size_t>(frame.parent)];
    }
    if (type_of[i].empty() || frame.launches == 0) continue;
    PlaceTime& place = by_type[type_of[i]];
    place.name = type_of[i];
    place.launches += static_cast<double>(frame.launches) / workload.step_count();
    place.seconds += frame.total.value() / workload.step_count();
  }
  std::vector<PlaceTime> places;
  places.reserve(by_type.size());
  for (auto& [type, place] : by_type) places.push_back(std::move(place));
  add_rest(workload, places);
  sort_by_time(places);
  return places;
}

std::vector<PlaceTime> op_times(const Workload& workload) {
  std::map<std::string_view, PlaceTime> by_op;
  for (const DistinctKernel& kernel : workload.kernels) {
    PlaceTime& place = by_op[kernel.op];
    place.name = kernel.op;
    place.launches += static_cast<double>(kernel.launches) / workload.step_count();
    place.seconds += kernel.total.value() / workload.step_count();
  }
  std::vector<PlaceTime> places;
  places.reserve(by_op.size());
  for (auto& [op, place] : by_op) places.push_back(std::move(place));
  sort_by_time(places);
  return places;
}

std::string place_of(const Workload& workload, std::int32_t frame) {
  constexpr int kMostOuter = 3;
  std::string op;  // the one that the program called; those below it are the framework's own
  std::string outer;
  for (int shown = 0; shown < kMostOuter && frame >= 0;) {
    const auto index = static_cast<std::size_t>(frame);
    if (index >= workload.stacks.size()) break;
    const StackFrame& at = workload.stacks[index];
    if (at.name.starts_with(kStepMark)) break;
    if (at.kind != FrameKind::kOp) {
      if (!outer.empty()) outer.insert(0, " / ");
      outer.insert(0, at.name);
      ++shown;
    } else if (outer.empty()) {
      op = at.name;
    }
    frame = at.parent < frame ? at.parent : -1;
  }
  return outer + (outer.empty() || op.empty() ? "" : " / ") + op;
}

}  // namespace uplift::decide
