// SPDX-License-Identifier: Apache-2.0
// One function per kind of event.
#include "uplift/read/trace/event_batch.hpp"

#include "uplift/read/trace/json_text.hpp"

#include <algorithm>
#include <utility>

namespace uplift::read {
namespace {

/// Longer texts are not what a profiler writes: names are cut there, shapes count as not recorded.
constexpr std::size_t kLongestName = std::size_t{64} << 10;
constexpr std::size_t kLongestArgument = std::size_t{4} << 20;

constexpr std::string_view kStepPrefix = "ProfilerStep#";

std::string_view within(std::string_view text, std::size_t most) {
  return text.size() <= most ? text : std::string_view();
}

std::size_t mix(std::size_t seed, std::string_view text) {
  return (seed ^ std::hash<std::string_view>()(text)) * 0x9e3779b97f4a7c15U;
}

}  // namespace

std::size_t hash_text(const FrameText& text) {
  const auto kind = static_cast<std::size_t>(text.kind);
  return mix(mix(mix(mix(kind, text.name), text.dims), text.types), text.concrete);
}

std::size_t hash_text(const WorkText& text) {
  const auto kind = static_cast<std::size_t>(text.kind);
  return mix(mix(mix(mix(mix(kind, text.name), text.grid), text.block), text.registers),
             text.shared);
}

std::size_t hash_text(const ThreadText& text) { return mix(mix(0, text.process), text.thread); }

void EventBatch::reset(EventRun run) {
  run_ = std::move(run);
  kept_.clear();
  records_.clear();
  frames_.clear();
  work_.clear();
  threads_.clear();
  calls_.clear();
  counts_ = {};
  most_reserved_.reset();
}

void EventBatch::roll_back(const Mark& mark) {
  records_.resize(mark.records);
  counts_ = mark.counts;
}

void EventBatch::take(Category category, const RawEvent& event, const RawArguments& arguments) {
  if (category == Category::kInstant) {
    if (event.name == "[memory]" && !arguments.reserved.empty()) {
      const std::int64_t reserved = to_integer(arguments.reserved, 0);
      most_reserved_ = std::max(most_reserved_.value_or(0), reserved);
    }
    return;
  }
  if (category == Category::kCounters) {
    ++counts_.counters;
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
    ++counts_.damaged;
    return;
  }
  EventRecord record;
  record.start = *start;
  record.end = *start + *length;
  switch (category) {
    case Category::kOp:
    case Category::kAnnotation:
    case Category::kPython:
      take_frame(category, event, arguments, record);
      break;
    case Category::kCall:
      take_call(event, arguments, record);
      break;
    case Category::kKernel:
    case Category::kCopy:
    case Category::kSet:
      take_work(category, event, arguments, record);
      break;
    case Category::kSkip:
    case Category::kInstant:
    case Category::kCounters:
      break;
  }
}

void EventBatch::take_frame(Category category, const RawEvent& event, const RawArguments& arguments,
                            EventRecord record) {
  FrameText text;
  text.name = event.name.substr(0, kLongestName);
  const bool is_step = text.name.starts_with(kStepPrefix);
  if (category == Category::kPython) {
    if (!is_module(text.name)) return;
    text.name = text.name.substr(kModulePrefix.size());
    text.kind = FrameKind::kModule;
  } else if (category == Category::kAnnotation || is_step) {
    text.kind = FrameKind::kAnnotation;
  } else {
    text.dims = within(arguments.dims, kLongestArgument);
    text.types = within(arguments.types, kLongestArgument);
    text.concrete = within(arguments.concrete, kLongestArgument);
    record.external_id = to_integer(arguments.external_id, kNoId);
  }
  record.kind = is_step ? RecordKind::kStep : RecordKind::kFrame;
  record.text = frames_.intern(text);
  record.thread = threads_.intern({event.pid, event.tid});
  records_.push_back(record);
}

void EventBatch::take_call(const RawEvent& event, const RawArguments& arguments,
                           EventRecord record) {
  const auto [found, is_new] = calls_.try_emplace(event.name);
  if (is_new) found->second = parse_call(event.name);
  const auto& call = found->second;
  if (!call) return;
  record.kind = RecordKind::kCall;
  record.call = *call;
  record.correlation = to_integer(arguments.correlation, kNoId);
  record.thread = threads_.intern({event.pid, event.tid});
  records_.push_back(record);
}

void EventBatch::take_work(Category category, const RawEvent& event, const RawArguments& arguments,
                           EventRecord record) {
  record.kind = RecordKind::kWork;
  record.correlation = to_integer(arguments.correlation, kNoId);
  record.external_id = to_integer(arguments.external_id, kNoId);
  record.bytes = std::max<std::int64_t>(0, to_integer(arguments.bytes, 0));
  record.device = static_cast<std::int32_t>(to_integer(arguments.device, to_integer(event.pid, 0)));
  record.stream = static_cast<std::int32_t>(to_integer(arguments.stream, to_stream(event.tid)));
  WorkText text;
  text.name = event.name.substr(0, kLongestName);
  text.kind = category == Category::kKernel ? DeviceKind::kKernel
              : category == Category::kCopy ? DeviceKind::kCopy
                                            : DeviceKind::kSet;
  if (text.kind == DeviceKind::kKernel) {
    text.grid = within(arguments.grid, kLongestName);
    text.block = within(arguments.block, kLongestName);
    text.registers = within(arguments.registers, kLongestName);
    text.shared = within(arguments.shared, kLongestName);
  }
  record.text = work_.intern(text);
  records_.push_back(record);
}

}  // namespace uplift::read
