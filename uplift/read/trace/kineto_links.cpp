// SPDX-License-Identifier: Apache-2.0
// One sweep per thread finds the operators around each call.
#include "uplift/read/trace/kineto_links.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace uplift::read {
namespace {

std::vector<std::int32_t> numbered(std::size_t count) {
  std::vector<std::int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Fills op_parent and returns, per call, the innermost operator that contains its start.
std::vector<std::int32_t> sweep_threads(const KinetoRecords& records,
                                        std::vector<std::int32_t>& op_parent) {
  const auto& ops = records.ops;
  const auto& calls = records.calls;
  auto by_op = numbered(ops.size());
  std::sort(by_op.begin(), by_op.end(), [&](std::int32_t a, std::int32_t b) {
    // Of two that start together, the longer one is the outer one.
    return std::tuple(ops[a].thread, ops[a].start, -ops[a].end, a) <
           std::tuple(ops[b].thread, ops[b].start, -ops[b].end, b);
  });
  auto by_call = numbered(calls.size());
  std::sort(by_call.begin(), by_call.end(), [&](std::int32_t a, std::int32_t b) {
    return std::tuple(calls[a].thread, calls[a].start, a) <
           std::tuple(calls[b].thread, calls[b].start, b);
  });

  op_parent.assign(ops.size(), kNone);
  std::vector<std::int32_t> call_op(calls.size(), kNone);
  std::vector<std::int32_t> open;  // operators around the current time, outermost first
  std::uint32_t thread = UINT32_MAX;
  std::size_t next_op = 0;
  const auto close_until = [&](std::int64_t time) {
    while (!open.empty() && ops[open.back()].end < time) open.pop_back();
  };
  for (const std::int32_t call : by_call) {
    if (calls[call].thread != thread) {
      thread = calls[call].thread;
      open.clear();
    }
    while (next_op < by_op.size() &&
           std::tuple(ops[by_op[next_op]].thread, ops[by_op[next_op]].start) <=
               std::tuple(thread, calls[call].start)) {
      const std::int32_t op = by_op[next_op++];
      if (ops[op].thread != thread) continue;
      close_until(ops[op].start);
      op_parent[op] = open.empty() ? kNone : open.back();
      open.push_back(op);
    }
    close_until(calls[call].start);
    call_op[call] = open.empty() ? kNone : open.back();
  }
  return call_op;
}

}  // namespace

KinetoLinks link_records(const KinetoRecords& records) {
  KinetoLinks links;
  const auto call_op = sweep_threads(records, links.op_parent);

  std::unordered_map<std::int64_t, std::int32_t> call_of;
  call_of.reserve(records.calls.size());
  for (std::size_t i = 0; i < records.calls.size(); ++i) {
    if (records.calls[i].correlation != kNoId) {
      call_of.try_emplace(records.calls[i].correlation, static_cast<std::int32_t>(i));
    }
  }
  std::unordered_map<std::int64_t, std::int32_t> op_of;
  op_of.reserve(records.ops.size());
  for (std::size_t i = 0; i < records.ops.size(); ++i) {
    if (records.ops[i].external_id > 0) {
      op_of.try_emplace(records.ops[i].external_id, static_cast<std::int32_t>(i));
    }
  }

  links.call.assign(records.device.size(), kNone);
  links.op.assign(records.device.size(), kNone);
  for (std::size_t i = 0; i < records.device.size(); ++i) {
    const DeviceRecord& record = records.device[i];
    if (const auto call = call_of.find(record.correlation); call != call_of.end()) {
      links.call[i] = call->second;
      links.op[i] = call_op[static_cast<std::size_t>(call->second)];
    }
    if (links.call[i] == kNone) {
      if (const auto op = op_of.find(record.external_id); op != op_of.end()) {
        links.op[i] = op->second;
      }
    }
  }
  return links;
}

}  // namespace uplift::read
