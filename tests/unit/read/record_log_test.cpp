// SPDX-License-Identifier: Apache-2.0
// What goes into a packed log comes out, in order of time, whatever the numbers.
#include "uplift/read/trace/kineto_records.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace uplift::read {
namespace {

std::int64_t draw_number() {
  return *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-300, 300),
                         rc::gen::arbitrary<std::int64_t>(),
                         rc::gen::element(std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max()));
}

WorkRecord draw_record() {
  WorkRecord record;
  record.start = draw_number();
  record.end = draw_number();
  record.correlation = draw_number();
  record.external_id = draw_number();
  record.bytes = draw_number();
  record.signature = *rc::gen::arbitrary<std::uint32_t>();
  return record;
}

auto fields(const WorkRecord& record) {
  return std::tuple(record.start, record.end, record.correlation, record.external_id, record.bytes,
                    record.signature);
}

RC_GTEST_PROP(RecordLog, GivesBackWhatItTookInOrderOfTime, ()) {
  RecordLog<WorkRecord> log;
  std::vector<WorkRecord> records;
  const bool in_order = *rc::gen::arbitrary<bool>();
  for (int i = *rc::gen::inRange(0, 50); i > 0; --i) records.push_back(draw_record());
  if (in_order) std::stable_sort(records.begin(), records.end());
  for (const WorkRecord& record : records) log.append(record);
  std::stable_sort(records.begin(), records.end());
  auto cursor = log.read();
  for (const WorkRecord& record : records) {
    const auto read = cursor.next();
    RC_ASSERT(read.has_value());
    RC_ASSERT(fields(*read) == fields(record));
  }
  RC_ASSERT(!cursor.next());
  RC_ASSERT(log.size() == records.size());
}

TEST(RecordLog, ManyRecordsFillManyBlocks) {
  RecordLog<CallRecord> log;
  constexpr std::int64_t kCount = 100'000;
  for (std::int64_t i = 0; i < kCount; ++i) {
    log.append({i * 1000, i * 1000 + 7, i, {CallKind::kSync, i % 2 == 0, i % 3 == 0}});
  }
  auto cursor = log.read();
  for (std::int64_t i = 0; i < kCount; ++i) {
    const auto call = cursor.next();
    ASSERT_TRUE(call);
    ASSERT_EQ(i * 1000 + 7, call->end);
    ASSERT_EQ(i, call->correlation);
    ASSERT_EQ(CallKind::kSync, call->traits.kind);
    ASSERT_EQ(i % 2 == 0, call->traits.whole_device);
    ASSERT_EQ(i % 3 == 0, call->traits.synchronous);
  }
  EXPECT_FALSE(cursor.next());
}

}  // namespace
}  // namespace uplift::read
