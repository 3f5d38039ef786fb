// SPDX-License-Identifier: Apache-2.0
// Event parsing with simdjson's on-demand front end. A run that simdjson refuses is taken apart
// event by event, repaired and tried again; what is still refused is counted, not guessed.
#include "uplift/read/trace/kineto_events.hpp"

#include "uplift/read/trace/bracket_scanner.hpp"
#include "uplift/read/trace/json_text.hpp"

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace uplift::read {
namespace {

namespace ondemand = simdjson::ondemand;

/// What an event's category says it is.
enum class Category { kSkip, kOp, kCall, kKernel, kCopy, kSet, kAnnotation, kInstant, kCounters };

// PyTorch 1.8 wrote the first spelling, later versions the second.
Category parse_category(std::string_view text) {
  if (text == "cpu_op" || text == "Operator") return Category::kOp;
  if (text == "cuda_runtime" || text == "Runtime" || text == "cuda_driver") return Category::kCall;
  if (text == "kernel" || text == "Kernel") return Category::kKernel;
  if (text == "gpu_memcpy" || text == "Memcpy") return Category::kCopy;
  if (text == "gpu_memset" || text == "Memset") return Category::kSet;
  if (text == "user_annotation") return Category::kAnnotation;
  if (text == "cpu_instant_event") return Category::kInstant;
  if (text == "cuda_profiler_range") return Category::kCounters;
  return Category::kSkip;
}

std::optional<CallKind> parse_call(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("Synchronize")) return CallKind::kSync;
  if (has("Launch")) return CallKind::kLaunch;
  if (has("Memcpy")) return CallKind::kCopy;
  if (has("Memset")) return CallKind::kSet;
  return std::nullopt;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

/// The inside of a string token, still escaped; other tokens unchanged.
std::string_view unquote(std::string_view token) {
  token = trim(token);
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"') {
    return token.substr(1, token.size() - 2);
  }
  return token;
}

/// An integer, also one written in quotes or with a fraction; `fallback` for anything else.
std::int64_t to_integer(std::string_view token, std::int64_t fallback) {
  token = unquote(token);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || token.empty()) return fallback;
  return value;
}

/// The number of a stream given as `7`, or as `stream 7` by the first versions.
std::int64_t to_stream(std::string_view token) {
  constexpr std::string_view kWord = "stream ";
  token = unquote(token);
  if (token.starts_with(kWord)) token.remove_prefix(kWord.size());
  return to_integer(token, 0);
}

/// The raw text of everything an event may hold that is of use.
struct RawEvent {
  std::string_view phase, category, name, pid, tid, ts, dur, args;
};

struct RawArguments {
  std::string_view external_id, correlation, device, stream, bytes, dims, types, concrete, grid,
      block, registers, shared, reserved;
};

}  // namespace

class KinetoEvents::Parser {
 public:
  explicit Parser(KinetoRecords& records) : records_(records) {
    records_.geometries.emplace_back();
  }

  void parse_run(char* text, std::size_t length) {
    const Mark mark = take_mark();
    text[-1] = '[';
    text[length] = ']';
    if (parse_array(text - 1, length + 2, length + 2 + simdjson::SIMDJSON_PADDING)) return;
    roll_back(mark);
    parse_one_by_one({text, length});
  }

  void member(std::string_view key, std::string_view value) {
    if (key == "deviceProperties") parse_devices(value);
  }

 private:
  struct Mark {
    std::size_t ops, calls, device, steps;
    std::int64_t events, damaged, counters;
  };
  [[nodiscard]] Mark take_mark() const {
    return {records_.ops.size(),    records_.calls.size(), records_.device.size(),
            records_.steps.size(),  records_.events,       records_.damaged_events,
            records_.counter_events};
  }
  void roll_back(const Mark& mark) {
    records_.ops.resize(mark.ops);
    records_.calls.resize(mark.calls);
    records_.device.resize(mark.device);
    records_.steps.resize(mark.steps);
    records_.events = mark.events;
    records_.damaged_events = mark.damaged;
    records_.counter_events = mark.counters;
  }

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
    const Mark mark = take_mark();
    for (std::string text : {std::string(event), repair_json(event)}) {
      text.insert(text.begin(), '[');
      text += ']';
      const std::size_t length = text.size();
      text.append(simdjson::SIMDJSON_PADDING, ' ');
      if (parse_array(text.data(), length, text.size())) return;
      roll_back(mark);
    }
    ++records_.events;
    ++records_.damaged_events;
  }

  [[nodiscard]] bool parse_event(ondemand::object& object) {
    ++records_.events;
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
    take(category, event, arguments);
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

  void take(Category category, const RawEvent& event, const RawArguments& arguments) {
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
        take_device(category, event, arguments, *start, end);
        break;
      case Category::kSkip:
      case Category::kInstant:
      case Category::kCounters:
        break;
    }
  }

  void take_op(Category category, const RawEvent& event, const RawArguments& arguments,
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
    records_.shapes_recorded |=
        arguments.dims.find_first_of("0123456789") != std::string_view::npos;
    records_.ops.push_back(op);
  }

  void take_call(const RawEvent& event, const RawArguments& arguments, std::int64_t start,
                 std::int64_t end) {
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

  void take_device(Category category, const RawEvent& event, const RawArguments& arguments,
                   std::int64_t start, std::int64_t end) {
    DeviceRecord record;
    record.start = start;
    record.end = end;
    record.correlation = to_integer(arguments.correlation, kNoId);
    record.external_id = to_integer(arguments.external_id, kNoId);
    record.bytes = std::max<std::int64_t>(0, to_integer(arguments.bytes, 0));
    record.device =
        static_cast<std::int32_t>(to_integer(arguments.device, to_integer(event.pid, 0)));
    record.stream = static_cast<std::int32_t>(to_integer(arguments.stream, to_stream(event.tid)));
    record.name = intern(event.name);
    record.kind = category == Category::kKernel ? DeviceKind::kKernel
                  : category == Category::kCopy ? DeviceKind::kCopy
                                                : DeviceKind::kSet;
    if (record.kind == DeviceKind::kKernel) record.geometry = geometry(arguments);
    records_.device.push_back(record);
  }

  /// Names are interned as written and resolved once per distinct spelling.
  StringId intern(std::string_view raw) {
    return raw.find('\\') == std::string_view::npos ? records_.strings.intern(raw)
                                                    : records_.strings.intern(unescape(raw));
  }

  std::uint32_t thread(const RawEvent& event) {
    key_.assign(event.pid);
    key_ += '/';
    key_ += event.tid;
    return records_.strings.intern(key_);
  }

  std::uint32_t geometry(const RawArguments& arguments) {
    const LaunchGeometry launch{
        triple(arguments.grid, {INT32_MAX, 65535, 65535}),
        triple(arguments.block, {1024, 1024, 64}),
        static_cast<int>(std::clamp<std::int64_t>(to_integer(arguments.registers, 0), 0, 1024)),
        std::max<std::int64_t>(0, to_integer(arguments.shared, 0))};
    const auto key =
        std::tuple(launch.grid, launch.block, launch.registers_per_thread, launch.shared_bytes);
    const auto [found, is_new] =
        geometry_ids_.try_emplace(key, static_cast<std::uint32_t>(records_.geometries.size()));
    if (is_new) records_.geometries.push_back(launch);
    return found->second;
  }

  using Extents = std::array<std::int64_t, 3>;

  /// `[25088, 2, 1]`; anything else is zeros. Extents beyond what CUDA allows are zeros too.
  static Extents triple(std::string_view text, const Extents& limits) {
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
      if (records_.devices.size() <= id) records_.devices.resize(id + 1);
      records_.devices[id] = device;
    }
  }

  KinetoRecords& records_;
  ondemand::parser parser_;
  std::string key_;
  std::map<std::tuple<std::array<std::int64_t, 3>, std::array<std::int64_t, 3>, int, std::int64_t>,
           std::uint32_t>
      geometry_ids_;
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
