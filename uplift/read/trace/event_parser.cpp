// SPDX-License-Identifier: Apache-2.0
// Event parsing with simdjson's on-demand front end.
#include "uplift/read/trace/event_parser.hpp"

#include "uplift/read/trace/lenient_json.hpp"

#include <simdjson.h>

#include <cstring>
#include <utility>

namespace uplift::read {
namespace {

namespace ondemand = simdjson::ondemand;

static_assert(kPaddingBytes > simdjson::SIMDJSON_PADDING);

/// True if the key that starts at `raw`, as simdjson has found it, is `literal`. The text is
/// padded.
template <std::size_t kSize>
bool is_key(const char* raw, const char (&literal)[kSize]) {
  return std::memcmp(raw, literal, kSize - 1) == 0 && raw[kSize - 1] == '"';
}

/// Where the raw token of an argument goes; numbers and strings, or nothing.
std::string_view* scalar_argument(const char* key, RawArguments& out) {
  switch (*key) {
    case 'E':
      return is_key(key, "External id") ? &out.external_id : nullptr;
    case 'e':
      return is_key(key, "external id") ? &out.external_id : nullptr;
    case 'c':
      return is_key(key, "correlation") ? &out.correlation : nullptr;
    case 'd':
      return is_key(key, "device") ? &out.device : nullptr;
    case 's':
      return is_key(key, "stream")          ? &out.stream
             : is_key(key, "shared memory") ? &out.shared
                                            : nullptr;
    case 'b':
      return is_key(key, "bytes") ? &out.bytes : nullptr;
    case 'r':
      return is_key(key, "registers per thread") ? &out.registers : nullptr;
    case 'T':
      return is_key(key, "Total Reserved") ? &out.reserved : nullptr;
    default:
      return nullptr;
  }
}

std::string_view* list_argument(const char* key, RawArguments& out) {
  switch (*key) {
    case 'I':
      return is_key(key, "Input Dims")                                 ? &out.dims
             : is_key(key, "Input type") || is_key(key, "Input Types") ? &out.types
                                                                       : nullptr;
    case 'C':
      return is_key(key, "Concrete Inputs") ? &out.concrete : nullptr;
    case 'g':
      return is_key(key, "grid") ? &out.grid : nullptr;
    case 'b':
      return is_key(key, "block") ? &out.block : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

class EventParser::Implementation {
 public:
  void parse(EventBatch& batch) {
    batch_ = &batch;
    EventRun& run = batch.run();
    const EventBatch::Mark mark = batch.mark();
    char* const text = run.data();
    text[-1] = '[';
    text[run.length] = ']';
    if (parse_array(text - 1, run.length + 2, run.length + kPaddingBytes)) return;
    batch.roll_back(mark);
    if (parse_copy(repair_json(run.text()))) return;
    parse_one_by_one(run.text());
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

  /// Parses events in text of their own; takes back what it took if they are refused.
  [[nodiscard]] bool parse_copy(std::string_view events) {
    const EventBatch::Mark mark = batch_->mark();
    std::string& text = batch_->keep({});
    text.reserve(events.size() + 2 + simdjson::SIMDJSON_PADDING);
    text += '[';
    text += events;
    text += ']';
    const std::size_t length = text.size();
    text.append(simdjson::SIMDJSON_PADDING, ' ');
    if (parse_array(text.data(), length, text.size())) return true;
    batch_->roll_back(mark);
    return false;
  }

  void parse_one_by_one(std::string_view run) {
    for (std::size_t at = 0; at < run.size();) {
      if (run[at] != '{' && run[at] != '[') {
        ++at;
        continue;
      }
      const std::size_t length = find_value_end(run.substr(at), true);
      const std::string_view event = run.substr(at, length);
      if (!parse_copy(event) && !parse_copy(repair_json(event))) {
        batch_->count_event();
        batch_->count_damaged_event();
      }
      at += event.size();
    }
  }

  [[nodiscard]] bool parse_event(ondemand::object& object) {
    batch_->count_event();
    RawEvent event;
    Category category = Category::kSkip;
    bool category_known = false;
    RawArguments arguments;
    for (simdjson::simdjson_result<ondemand::field> entry : object) {
      ondemand::field field;
      if (std::move(entry).get(field) != simdjson::SUCCESS) return false;
      const char* const key = field.key().raw();
      ondemand::value value = field.value();
      if (is_key(key, "ph")) {
        event.phase = unquote(value.raw_json_token());
        // Flows, counters and names of threads are a third of a trace; they say so first.
        if (!is(event.phase, "X") && !is(event.phase, "i")) return true;
      } else if (is_key(key, "cat")) {
        event.category = unquote(value.raw_json_token());
        category = parse_category(event.category);
        category_known = true;
      } else if (is_key(key, "name")) {
        event.name = unquote(value.raw_json_token());
      } else if (is_key(key, "pid")) {
        event.pid = unquote(value.raw_json_token());
      } else if (is_key(key, "tid")) {
        event.tid = unquote(value.raw_json_token());
      } else if (is_key(key, "ts")) {
        event.ts = trim(value.raw_json_token());
      } else if (is_key(key, "dur")) {
        event.dur = trim(value.raw_json_token());
      } else if (is_key(key, "args")) {
        ondemand::object inner;
        const auto error = value.get_object().get(inner);
        if (error == simdjson::INCORRECT_TYPE) continue;
        if (error != simdjson::SUCCESS) return false;
        if (!parse_arguments(inner, arguments)) return false;
        continue;
      } else {
        continue;
      }
      // Python frames may be most of a trace; leave before their arguments.
      if (category_known && category == Category::kSkip) return true;
      if (category == Category::kPython && !event.name.empty() && !is_module(event.name)) {
        return true;
      }
    }
    if (!category_known && event.name == "[memory]") category = Category::kInstant;
    batch_->take(category, event, arguments);
    return true;
  }

  [[nodiscard]] static bool parse_arguments(ondemand::object& object, RawArguments& out) {
    for (simdjson::simdjson_result<ondemand::field> entry : object) {
      ondemand::field field;
      if (std::move(entry).get(field) != simdjson::SUCCESS) return false;
      const char* const key = field.key().raw();
      ondemand::value value = field.value();
      std::string_view* token = scalar_argument(key, out);
      if (token != nullptr) {
        *token = trim(value.raw_json_token());
        continue;
      }
      token = list_argument(key, out);
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

  EventBatch* batch_ = nullptr;
  ondemand::parser parser_;
};

EventParser::EventParser() : implementation_(std::make_unique<Implementation>()) {}
EventParser::~EventParser() = default;

void EventParser::parse(EventBatch& batch) { implementation_->parse(batch); }

}  // namespace uplift::read
