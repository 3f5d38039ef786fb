// SPDX-License-Identifier: Apache-2.0
// Adds events to KinetoRecords: exact times, interned names, shared launch geometries. Several
// events can be taken back together, for a run of text that turns out to be damaged half way.
#pragma once

#include "uplift/read/trace/event_fields.hpp"
#include "uplift/read/trace/kineto_records.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace uplift::read {

class RecordBuilder {
 public:
  /// `records` must outlive the builder.
  explicit RecordBuilder(KinetoRecords& records) : records_(records) {
    records_.geometries.emplace_back();
  }

  /// Where the records ended at some time.
  struct Mark {
    std::size_t ops, calls, device, steps;
    std::int64_t events, damaged, counters;
  };
  [[nodiscard]] Mark mark() const;
  void roll_back(const Mark& mark);

  /// Takes one event. Times that no clock shows count it as damaged.
  void take(Category category, const RawEvent& event, const RawArguments& arguments);
  void count_event() { ++records_.events; }
  void count_damaged_event() { ++records_.damaged_events; }
  void take_device(std::size_t id, const RecordedDevice& device);

 private:
  void take_op(Category category, const RawEvent& event, const RawArguments& arguments,
               std::int64_t start, std::int64_t end);
  void take_call(const RawEvent& event, const RawArguments& arguments, std::int64_t start,
                 std::int64_t end);
  void take_activity(Category category, const RawEvent& event, const RawArguments& arguments,
                     std::int64_t start, std::int64_t end);
  /// Names are interned as written and resolved once per distinct spelling.
  StringId intern(std::string_view raw);
  std::uint32_t thread(const RawEvent& event);
  std::uint32_t geometry(const RawArguments& arguments);

  using Extents = std::array<std::int64_t, 3>;
  KinetoRecords& records_;
  std::string key_;
  std::map<std::tuple<Extents, Extents, int, std::int64_t>, std::uint32_t> geometry_ids_;
};

}  // namespace uplift::read
