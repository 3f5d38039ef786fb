// SPDX-License-Identifier: Apache-2.0
// The events of one run of text that matter, as flat records: exact times, and small numbers for
// everything textual, valid in this batch only. kineto_records.hpp gathers the batches.
#pragma once

#include "uplift/core/workload.hpp"
#include "uplift/read/trace/event_fields.hpp"
#include "uplift/read/trace/event_run.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace uplift::read {

inline constexpr std::int64_t kNoId = -1;

/// What a host frame looks like: kind, name, and the text of its arguments' shapes.
struct FrameText {
  FrameKind kind = FrameKind::kOp;
  std::string_view name, dims, types, concrete;
  bool operator==(const FrameText&) const = default;
};

/// What a kernel, copy or set looks like: kind, name and the text of its launch geometry.
struct WorkText {
  DeviceKind kind = DeviceKind::kKernel;
  std::string_view name, grid, block, registers, shared;
  bool operator==(const WorkText&) const = default;
};

enum class RecordKind : std::uint8_t { kFrame, kCall, kWork, kStep };

/// One event. Times are ns of the trace's own clock.
struct EventRecord {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t correlation = kNoId;  ///< of calls and device work
  std::int64_t external_id = kNoId;  ///< of operators and device work
  std::int64_t bytes = 0;            ///< of copies and sets
  std::uint32_t text = 0;            ///< index into EventBatch::frames or ::work
  std::uint32_t thread = 0;          ///< index into EventBatch::threads; of host events
  std::int32_t device = 0;           ///< of device work
  std::int32_t stream = 0;
  RecordKind kind = RecordKind::kFrame;
  CallTraits call;
};

/// A host thread, as the raw text of its process and thread ids.
struct ThreadText {
  std::string_view process, thread;
  bool operator==(const ThreadText&) const = default;
};

/// Hands out small numbers for distinct texts.
template <class Text>
class TextTable {
 public:
  std::uint32_t intern(const Text& text) {
    const auto [found, is_new] = ids_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return found->second;
  }
  [[nodiscard]] const std::vector<Text>& texts() const { return texts_; }
  void clear() {
    ids_.clear();
    texts_.clear();
  }

 private:
  struct Hash {
    std::size_t operator()(const Text& text) const { return hash_text(text); }
  };
  std::unordered_map<Text, std::uint32_t, Hash> ids_;
  std::vector<Text> texts_;
};

[[nodiscard]] std::size_t hash_text(const FrameText& text);
[[nodiscard]] std::size_t hash_text(const WorkText& text);
[[nodiscard]] std::size_t hash_text(const ThreadText& text);

class EventBatch {
 public:
  /// Starts over with the text of another run.
  void reset(EventRun run);
  [[nodiscard]] EventRun& run() { return run_; }
  /// Text that was repaired; it lives as long as the batch.
  std::string& keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  /// Takes one event, whose text must live as long as the batch. Times that no clock shows count it
  /// as damaged.
  void take(Category category, const RawEvent& event, const RawArguments& arguments);
  void count_event() { ++counts_.events; }
  void count_damaged_event() { ++counts_.damaged; }

  /// Several events can be taken back together, where their text turns out to be damaged half way.
  struct Counts {
    std::int64_t events = 0;
    std::int64_t damaged = 0;
    std::int64_t counters = 0;  ///< cuda_profiler_range: counters without kernels
  };
  struct Mark {
    std::size_t records = 0;
    Counts counts;
  };
  [[nodiscard]] Mark mark() const { return {records_.size(), counts_}; }
  void roll_back(const Mark& mark);

  [[nodiscard]] const std::vector<EventRecord>& records() const { return records_; }
  [[nodiscard]] const TextTable<FrameText>& frames() const { return frames_; }
  [[nodiscard]] const TextTable<WorkText>& work() const { return work_; }
  [[nodiscard]] const TextTable<ThreadText>& threads() const { return threads_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] std::optional<std::int64_t> most_reserved_bytes() const { return most_reserved_; }

 private:
  void take_frame(Category category, const RawEvent& event, const RawArguments& arguments,
                  EventRecord record);
  void take_call(const RawEvent& event, const RawArguments& arguments, EventRecord record);
  void take_work(Category category, const RawEvent& event, const RawArguments& arguments,
                 EventRecord record);

  EventRun run_;
  std::deque<std::string> kept_;
  std::vector<EventRecord> records_;
  TextTable<FrameText> frames_;
  TextTable<WorkText> work_;
  TextTable<ThreadText> threads_;
  std::unordered_map<std::string_view, std::optional<CallTraits>> calls_;  // by name
  Counts counts_;
  std::optional<std::int64_t> most_reserved_;
};

}  // namespace uplift::read
