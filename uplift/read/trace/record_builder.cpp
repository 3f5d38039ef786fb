// SPDX-License-Identifier: Apache-2.0
// One function per kind of event.
#include "uplift/read/trace/record_builder.hpp"

#include "uplift/read/trace/json_text.hpp"

#include <algorithm>
#include <charconv>

namespace uplift::read {
namespace {

using Extents = std::array<std::int64_t, 3>;

/// `[25088, 2, 1]`; anything else is zeros. Extents beyond what CUDA allows are zeros too.
Extents triple(std::string_view text, const Extents& limits) {
  Extents values = {0, 0, 0};
  std::size_t at = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int64_t& value = values[i];
    at = text.find_first_of("0123456789", at);
    if (at == std::string_view::npos) return {0, 0, 0};
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc() || value < 1 || value > limits[i]) return {0, 0, 0};
    at = static_cast<std::size_t>(end - text.data());
  }
  return values;
}

}  // namespace

RecordBuilder::Mark RecordBuilder::mark() const {
  return {records_.ops.size(),    records_.calls.size(), records_.device.size(),
          records_.steps.size(),  records_.events,       records_.damaged_events,
          records_.counter_events};
}

void RecordBuilder::roll_back(const Mark& mark) {
  records_.ops.resize(mark.ops);
  records_.calls.resize(mark.calls);
  records_.device.resize(mark.device);
  records_.steps.resize(mark.steps);
  records_.events = mark.events;
  records_.damaged_events = mark.damaged;
  records_.counter_events = mark.counters;
}

void RecordBuilder::take_device(std::size_t id, const RecordedDevice& device) {
  if (records_.devices.size() <= id) records_.devices.resize(id + 1);
  records_.devices[id] = device;
}

void RecordBuilder::take(Category category, const RawEvent& event, const RawArguments& arguments) {
  if (category == Category::kInstant) {
    if (event.name == "[memory]" && !arguments.reserved.empty()) {
      const std::int64_t reserved = to_integer(arguments.reserved, 0);
      records_.most_reserved_bytes = std::max(records_.most_reserved_bytes.value_or(0), reserved);
    }
    return;
  }
  if (category == Category::kCounters) {
    ++records_.counter_events;
    return;
  }
  if (category == Category::kSkip || event.phase != "X") return;
  const auto start = parse_microseconds(event.ts);
  const auto length =
      event.dur.empty() ? std::optional<std::int64_t>(0) : parse_microseconds(event.dur);
  // Within these, the difference of any two times fits (and clocks fit until the year 2116).
  constexpr std::int64_t kEarliest = -(std::int64_t{1} << 61);
  constexpr std::int64_t kLatest = std::int64_t{1} << 62;
  if (!start || !length || *start < kEarliest || *start > kLatest || *length < 0 ||
      *length > kLatest - *start) {
    ++records_.damaged_events;
    return;
  }
  const std::int64_t end = *start + *length;
  records_.first_time = std::min(records_.first_time, *start);
  records_.last_time = std::max(records_.last_time, end);
  switch (category) {
    case Category::kOp:
    case Category::kAnnotation:
      take_op(category, event, arguments, *start, end);
      break;
    case Category::kCall:
      take_call(event, arguments, *start, end);
      break;
    case Category::kKernel:
    case Category::kCopy:
    case Category::kSet:
      take_activity(category, event, arguments, *start, end);
      break;
    case Category::kSkip:
    case Category::kInstant:
    case Category::kCounters:
      break;
  }
}

void RecordBuilder::take_op(Category category, const RawEvent& event, const RawArguments& arguments,
                            std::int64_t start, std::int64_t end) {
  if (event.name.starts_with("ProfilerStep#")) {
    records_.steps.push_back({start, end, intern(event.name)});
    return;
  }
  if (category == Category::kAnnotation) return;
  OpRecord op;
  op.start = start;
  op.end = end;
  op.external_id = to_integer(arguments.external_id, kNoId);
  op.thread = thread(event);
  op.name = intern(event.name);
  op.dims = records_.strings.intern(arguments.dims);
  op.types = records_.strings.intern(arguments.types);
  op.concrete = records_.strings.intern(arguments.concrete);
  records_.shapes_recorded |= arguments.dims.find_first_of("0123456789") != std::string_view::npos;
  records_.ops.push_back(op);
}

void RecordBuilder::take_call(const RawEvent& event, const RawArguments& arguments,
                              std::int64_t start, std::int64_t end) {
  const auto kind = parse_call(event.name);
  if (!kind) return;
  CallRecord call;
  call.start = start;
  call.end = end;
  call.correlation = to_integer(arguments.correlation, kNoId);
  call.thread = thread(event);
  call.kind = *kind;
  call.whole_device = event.name.find("Device") != std::string_view::npos ||
                      event.name.find("Ctx") != std::string_view::npos;
  records_.calls.push_back(call);
}

void RecordBuilder::take_activity(Category category, const RawEvent& event,
                                  const RawArguments& arguments, std::int64_t start,
                                  std::int64_t end) {
  DeviceRecord record;
  record.start = start;
  record.end = end;
  record.correlation = to_integer(arguments.correlation, kNoId);
  record.external_id = to_integer(arguments.external_id, kNoId);
  record.bytes = std::max<std::int64_t>(0, to_integer(arguments.bytes, 0));
  record.device = static_cast<std::int32_t>(to_integer(arguments.device, to_integer(event.pid, 0)));
  record.stream = static_cast<std::int32_t>(to_integer(arguments.stream, to_stream(event.tid)));
  record.name = intern(event.name);
  record.kind = category == Category::kKernel ? DeviceKind::kKernel
                : category == Category::kCopy ? DeviceKind::kCopy
                                              : DeviceKind::kSet;
  if (record.kind == DeviceKind::kKernel) record.geometry = geometry(arguments);
  records_.device.push_back(record);
}

StringId RecordBuilder::intern(std::string_view raw) {
  return raw.find('\\') == std::string_view::npos ? records_.strings.intern(raw)
                                                  : records_.strings.intern(unescape(raw));
}

std::uint32_t RecordBuilder::thread(const RawEvent& event) {
  key_.assign(event.pid);
  key_ += '/';
  key_ += event.tid;
  return records_.strings.intern(key_);
}

std::uint32_t RecordBuilder::geometry(const RawArguments& arguments) {
  const LaunchGeometry launch{
      triple(arguments.grid, {INT32_MAX, 65535, 65535}), triple(arguments.block, {1024, 1024, 64}),
      static_cast<int>(std::clamp<std::int64_t>(to_integer(arguments.registers, 0), 0, 1024)),
      std::max<std::int64_t>(0, to_integer(arguments.shared, 0))};
  const auto key =
      std::tuple(launch.grid, launch.block, launch.registers_per_thread, launch.shared_bytes);
  const auto [found, is_new] =
      geometry_ids_.try_emplace(key, static_cast<std::uint32_t>(records_.geometries.size()));
  if (is_new) records_.geometries.push_back(launch);
  return found->second;
}

}  // namespace uplift::read
