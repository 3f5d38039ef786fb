// SPDX-License-Identifier: Apache-2.0
// The yardstick for reading a trace: the least that a reader with simdjson's on-demand parser has
// to do. One thread reads a plain trace through a window of 1 MiB, cut behind the last whole event,
// and looks at the raw token of every member of every event. It keeps nothing, links nothing,
// repairs nothing, and relies on the layout that Kineto writes to find where events end.
#include <simdjson.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <unistd.h>

namespace {

constexpr std::size_t kWindowBytes = std::size_t{1} << 20;
/// Room for the part of an event that the window before was cut behind.
constexpr std::size_t kCarryBytes = std::size_t{1} << 20;
constexpr std::string_view kFirst = "\"traceEvents\": [";
constexpr std::string_view kEnd = "\n  }";  // of an event, and of nothing within one

struct Totals {
  std::uint64_t events = 0;
  std::uint64_t members = 0;
  std::uint64_t token_bytes = 0;  ///< printed, so that no compiler leaves the tokens out
};

/// `text` is a JSON array with SIMDJSON_PADDING readable bytes behind it.
simdjson::error_code look_at(simdjson::ondemand::parser& parser, const char* text,
                             std::size_t length, Totals& totals) {
  using namespace simdjson;
  ondemand::document document;
  if (auto error = parser.iterate(text, length, length + SIMDJSON_PADDING).get(document)) {
    return error;
  }
  ondemand::array events;
  if (auto error = document.get_array().get(events)) return error;
  for (auto element : events) {
    ondemand::object event;
    if (auto error = element.get_object().get(event)) return error;
    ++totals.events;
    for (auto entry : event) {
      ondemand::field field;
      if (auto error = std::move(entry).get(field)) return error;
      ++totals.members;
      totals.token_bytes += field.value().raw_json_token().size();
    }
  }
  return SUCCESS;
}

int fail(const char* path, const char* why) {
  std::fprintf(stderr, "simdjson_pass: %s: %s\n", path, why);
  return 1;
}

int pass(const char* path, Totals& totals) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(path, std::strerror(errno));
  // One byte in front for the bracket that makes a list of what is in the window.
  const auto buffer = std::make_unique_for_overwrite<char[]>(1 + kCarryBytes + kWindowBytes +
                                                             simdjson::SIMDJSON_PADDING);
  char* const text = buffer.get() + 1;
  simdjson::ondemand::parser parser;
  if (parser.allocate(1 + kCarryBytes + kWindowBytes) != simdjson::SUCCESS) {
    return fail(path, "no memory");
  }
  std::size_t carried = 0;
  bool in_events = false;
  for (;;) {
    const ssize_t got = ::read(file, text + carried, kWindowBytes);
    if (got < 0) return fail(path, std::strerror(errno));
    if (got == 0) break;
    const std::string_view window(text, carried + static_cast<std::size_t>(got));
    std::size_t begin = 0;
    if (!in_events) {
      begin = window.find(kFirst);
      if (begin == std::string_view::npos) return fail(path, "no traceEvents in the first window");
      begin += kFirst.size();
      in_events = true;
    }
    // The byte behind the event must be here too: it becomes the end of a list.
    std::size_t end = window.size() > kEnd.size()
                          ? window.rfind(kEnd, window.size() - kEnd.size() - 1)
                          : std::string_view::npos;
    if (end == std::string_view::npos || end < begin) {
      end = begin;
    } else {
      end += kEnd.size();
      text[static_cast<std::ptrdiff_t>(begin) - 1] = '[';  // over the list's own, or a comma
      text[end] = ']';                                     // over the comma, or what ends the list
      if (auto error = look_at(parser, text + begin - 1, end - begin + 2, totals)) {
        return fail(path, simdjson::error_message(error));
      }
      ++end;
    }
    carried = window.size() - end;
    if (carried > kCarryBytes) return fail(path, "an event is larger than the window");
    std::memmove(text, text + end, carried);
  }
  ::close(file);
  return totals.events > 0 ? 0 : fail(path, "no events");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: simdjson_pass TRACE.json | --version\n");
    return 2;
  }
  if (std::string_view(argv[1]) == "--version") {
    std::printf("simdjson %d.%d.%d (%s), built by %s %s\n", simdjson::SIMDJSON_VERSION_MAJOR,
                simdjson::SIMDJSON_VERSION_MINOR, simdjson::SIMDJSON_VERSION_REVISION,
                simdjson::get_active_implementation()->name().c_str(),
#if defined(__clang__)
                "Clang", __clang_version__
#else
                "GCC", __VERSION__
#endif
    );
    return 0;
  }
  const auto start = std::chrono::steady_clock::now();
  Totals totals;
  if (const int code = pass(argv[1], totals); code != 0) return code;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%llu events, %llu members, %llu bytes of tokens, %.3f s\n",
              static_cast<unsigned long long>(totals.events),
              static_cast<unsigned long long>(totals.members),
              static_cast<unsigned long long>(totals.token_bytes), seconds.count());
  return 0;
}
