// SPDX-License-Identifier: Apache-2.0
// Event parsing with simdjson's on-demand front end. A run that simdjson refuses is taken apart
// event by event, repaired and tried again; what is still refused is counted, not guessed.
#include "uplift/read/trace/kineto_events.hpp"

#include "uplift/read/trace/bracket_scanner.hpp"
#include "uplift/read/trace/json_text.hpp"
#include "uplift/read/trace/record_builder.hpp"

#include <simdjson.h>

#include <algorithm>
#include <utility>

namespace uplift::read {

namespace ondemand = simdjson::ondemand;

class KinetoEvents::Parser {
 public:
  explicit Parser(KinetoRecords& records) : builder_(records) {}

  void parse_run(char* text, std::size_t length) {
    const RecordBuilder::Mark mark = builder_.mark();
    text[-1] = '[';
    text[length] = ']';
    if (parse_array(text - 1, length + 2, length + 2 + simdjson::SIMDJSON_PADDING)) return;
    builder_.roll_back(mark);
    parse_one_by_one({text, length});
  }

  void member(std::string_view key, std::string_view value) {
    if (key == "deviceProperties") parse_devices(value);
  }

 private:
  [[nodiscard]] bool parse_array(const char* text, std::size_t length, std::size_t capacity) {
    ondemand::document document;
    if (parser_.iterate(simdjson::padded_string_view(text, length, capacity)).get(document) !=
        simdjson::SUCCESS) {
      return false;
    }
    ondemand::array array;
    if (document.get_array().get(array) != simdjson::SUCCESS) return false;
    for (auto element : array) {
      ondemand::object object;
      const auto error = element.get_object().get(object);
      if (error == simdjson::INCORRECT_TYPE) continue;  // a stray scalar between events
      if (error != simdjson::SUCCESS || !parse_event(object)) return false;
    }
    return true;
  }

  void parse_one_by_one(std::string_view run) {
    BracketScanner scanner;
    std::string padded(run);
    padded.append(kBlockBytes, ' ');
    int depth = 0;
    std::size_t open = 0;
    scanner.scan(padded.data(), 0, run.size(), [&](std::size_t at, bool opens) {
      if (opens) {
        if (depth++ == 0) open = at;
      } else if (--depth == 0) {
        parse_alone(run.substr(open, at + 1 - open));
      }
      return true;
    });
  }

  void parse_alone(std::string_view event) {
    const RecordBuilder::Mark mark = builder_.mark();
    for (std::string text : {std::string(event), repair_json(event)}) {
      text.insert(text.begin(), '[');
      text += ']';
      const std::size_t length = text.size();
      text.append(simdjson::SIMDJSON_PADDING, ' ');
      if (parse_array(text.data(), length, text.size())) return;
      builder_.roll_back(mark);
    }
    builder_.count_event();
    builder_.count_damaged_event();
  }

  [[nodiscard]] bool parse_event(ondemand::object& object) {
    builder_.count_event();
    RawEvent event;
    Category category = Category::kSkip;
    bool category_known = false;
    RawArguments arguments;
    for (simdjson::simdjson_result<ondemand::field> entry : object) {
      ondemand::field field;
      if (std::move(entry).get(field) != simdjson::SUCCESS) return false;
      const auto key = field.key();
      ondemand::value value = field.value();
      if (key == "ph") {
        event.phase = unquote(value.raw_json_token());
      } else if (key == "cat") {
        event.category = unquote(value.raw_json_token());
        category = parse_category(event.category);
        category_known = true;
        // Flow events and Python frames are most of a trace; leave before their arguments.
        if (category == Category::kSkip) return true;
      } else if (key == "name") {
        event.name = unquote(value.raw_json_token());
      } else if (key == "pid") {
        event.pid = unquote(value.raw_json_token());
      } else if (key == "tid") {
        event.tid = unquote(value.raw_json_token());
      } else if (key == "ts") {
        event.ts = trim(value.raw_json_token());
      } else if (key == "dur") {
        event.dur = trim(value.raw_json_token());
      } else if (key == "args") {
        ondemand::object inner;
        const auto error = value.get_object().get(inner);
        if (error == simdjson::INCORRECT_TYPE) continue;
        if (error != simdjson::SUCCESS) return false;
        if (!parse_arguments(inner, arguments)) return false;
      }
    }
    if (!category_known && event.name == "[memory]") category = Category::kInstant;
    builder_.take(category, event, arguments);
    return true;
  }

  [[nodiscard]] static bool parse_arguments(ondemand::object& object, RawArguments& out) {
    for (simdjson::simdjson_result<ondemand::field> entry : object) {
      ondemand::field field;
      if (std::move(entry).get(field) != simdjson::SUCCESS) return false;
      const auto key = field.key();
      ondemand::value value = field.value();
      std::string_view* token = key == "External id" || key == "external id" ? &out.external_id
                                : key == "correlation"                       ? &out.correlation
                                : key == "device"                            ? &out.device
                                : key == "stream"                            ? &out.stream
                                : key == "bytes"                             ? &out.bytes
                                : key == "registers per thread"              ? &out.registers
                                : key == "shared memory"                     ? &out.shared
                                : key == "Total Reserved"                    ? &out.reserved
                                                                             : nullptr;
      if (token != nullptr) {
        *token = trim(value.raw_json_token());
        continue;
      }
      token = key == "Input Dims"                           ? &out.dims
              : key == "Input type" || key == "Input Types" ? &out.types
              : key == "Concrete Inputs"                    ? &out.concrete
              : key == "grid"                               ? &out.grid
              : key == "block"                              ? &out.block
                                                            : nullptr;
      if (token == nullptr) continue;
      ondemand::array array;
      const auto error = value.get_array().get(array);
      if (error == simdjson::INCORRECT_TYPE) continue;
      if (error != simdjson::SUCCESS) return false;
      if (array.raw_json().get(*token) != simdjson::SUCCESS) return false;
      *token = trim(*token);
    }
    return true;
  }

  void parse_devices(std::string_view value) {
    simdjson::dom::parser parser;
    simdjson::dom::array array;
    const simdjson::padded_string padded(repair_json(value));
    if (parser.parse(padded).get_array().get(array) != simdjson::SUCCESS) return;
    const auto integer = [](simdjson::dom::element element, const char* key) {
      std::int64_t number = 0;
      return element[key].get_int64().get(number) == simdjson::SUCCESS ? number : 0;
    };
    for (const auto element : array) {
      RecordedDevice device;
      std::string_view name;
      if (element["name"].get_string().get(name) == simdjson::SUCCESS) device.name = name;
      device.sm_count = static_cast<int>(integer(element, "numSms"));
      device.compute_major = static_cast<int>(integer(element, "computeMajor"));
      device.compute_minor = static_cast<int>(integer(element, "computeMinor"));
      device.memory_bytes = integer(element, "totalGlobalMem");
      const auto id =
          static_cast<std::size_t>(std::clamp<std::int64_t>(integer(element, "id"), 0, 1023));
      builder_.take_device(id, device);
    }
  }

  RecordBuilder builder_;
  ondemand::parser parser_;
};

KinetoEvents::KinetoEvents(KinetoRecords& records) : parser_(std::make_unique<Parser>(records)) {}
KinetoEvents::~KinetoEvents() = default;

Result<void> KinetoEvents::events(char* text, std::size_t length, std::uint64_t /*offset*/) {
  parser_->parse_run(text, length);
  return {};
}

Result<void> KinetoEvents::member(std::string_view key, std::string_view value) {
  parser_->member(key, value);
  return {};
}

}  // namespace uplift::read
