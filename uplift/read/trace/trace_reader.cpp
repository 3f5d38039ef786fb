// SPDX-License-Identifier: Apache-2.0
// The sink between splitter, pipeline and records.
#include "uplift/read/trace/trace_reader.hpp"

#include "uplift/read/trace/batch_pipeline.hpp"
#include "uplift/read/trace/lenient_json.hpp"

#include <simdjson.h>

#include <algorithm>
#include <utility>

namespace uplift::read {
namespace {

constexpr std::int64_t kMostDevices = 1024;

std::optional<std::int64_t> integer(simdjson::dom::element element, const char* key) {
  std::int64_t number = 0;
  if (element[key].get_int64().get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

class RecordSink final : public TraceSink {
 public:
  RecordSink(KinetoRecords& records, unsigned threads)
      : records_(records),
        pipeline_(threads, [this](const EventBatch& batch) { records_.take(batch); }) {}

  [[nodiscard]] Result<void> events(EventRun run) override {
    pipeline_.add(std::move(run));
    return {};
  }
  [[nodiscard]] TextBuffer spare() override { return pipeline_.spare(); }

  [[nodiscard]] Result<void> member(std::string_view key, std::string_view value) override {
    if (key == "record_shapes") shapes_asked_ = to_integer(value, 0) != 0;
    if (key != "deviceProperties" && key != "distributedInfo") return {};
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    const simdjson::padded_string padded(repair_json(value));
    if (parser.parse(padded).get(root) != simdjson::SUCCESS) return {};
    if (key == "distributedInfo") {
      rank_ = integer(root, "rank");
      world_size_ = integer(root, "world_size");
    } else {
      take_devices(root);
    }
    return {};
  }

  void finish() {
    pipeline_.finish();
    for (const auto& [id, device] : devices_) records_.take_device(id, device);
    records_.shapes_asked = shapes_asked_;
    records_.rank = rank_;
    records_.world_size = world_size_;
  }

 private:
  void take_devices(simdjson::dom::element root) {
    simdjson::dom::array array;
    if (root.get_array().get(array) != simdjson::SUCCESS) return;
    for (const auto element : array) {
      RecordedDevice device;
      std::string_view name;
      if (element["name"].get_string().get(name) == simdjson::SUCCESS) device.name = name;
      device.sm_count = static_cast<int>(integer(element, "numSms").value_or(0));
      device.compute_major = static_cast<int>(integer(element, "computeMajor").value_or(0));
      device.compute_minor = static_cast<int>(integer(element, "computeMinor").value_or(0));
      device.memory_bytes = integer(element, "totalGlobalMem").value_or(0);
      const std::int64_t id = integer(element, "id").value_or(0);
      devices_.emplace_back(
          static_cast<std::size_t>(std::clamp<std::int64_t>(id, 0, kMostDevices - 1)), device);
    }
  }

  KinetoRecords& records_;
  std::vector<std::pair<std::size_t, RecordedDevice>> devices_;
  std::optional<bool> shapes_asked_;
  std::optional<std::int64_t> rank_;
  std::optional<std::int64_t> world_size_;
  BatchPipeline pipeline_;  // last: its threads end before the rest does
};

}  // namespace

Result<std::optional<TraceBreak>> read_records(ByteSource& source, const std::string& path,
                                               unsigned threads, KinetoRecords& records) {
  RecordSink sink(records, threads);
  auto split = split_trace(source, path, sink);
  if (split) sink.finish();
  return split;
}

}  // namespace uplift::read
