// SPDX-License-Identifier: Apache-2.0
// The few states of a trace's top level.
#include "uplift/read/trace/event_splitter.hpp"

#include "uplift/read/trace/bracket_scanner.hpp"
#include "uplift/read/trace/event_list.hpp"
#include "uplift/read/trace/trace_window.hpp"

#include <fmt/format.h>

#include <utility>

namespace uplift::read {
namespace {

/// Events are handed over in runs of at least this size, except the last one.
constexpr std::size_t kRunBytes = std::size_t{256} << 10;

constexpr const char* kWhatIsRead =
    "uplift reads PyTorch profiler traces (.json, .json.gz, .json.zst)";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

class Splitter {
 public:
  Splitter(ByteSource& source, const std::string& path, TraceSink& sink)
      : window_(source), path_(path), sink_(sink) {}

  [[nodiscard]] Result<std::optional<TraceBreak>> run() {
    auto done = split();
    if (!done && (!saw_events_ || done.error().kind != ErrorKind::kSyntax)) {
      return failure(window_.damage().value_or(done.error()));
    }
    // To the very end: a checksum that does not fit, or a cut, may stand behind the last bracket.
    while (done && !window_.at_end()) {
      if (auto moved = window_.slide(window_.end()); !moved) return failure(moved.error());
    }
    if (window_.damage()) {
      return TraceBreak{window_.offset(window_.end()), events_whole_, *window_.damage()};
    }
    if (!done) return TraceBreak{broken_at_, events_whole_, done.error()};
    return std::nullopt;
  }

 private:
  [[nodiscard]] Result<void> split() {
    auto c = next_token();
    if (!c) return failure(c.error());
    for (const char mark : {'\xef', '\xbb', '\xbf'}) {  // a byte order mark
      if (*c != mark) break;
      ++position_;
      c = next_token();
      if (!c) return failure(c.error());
    }
    if (*c == '[') {
      ++position_;
      bare_ = true;
      if (auto done = split_events(); !done) return done;
      return nothing_behind();
    }
    if (*c != '{') {
      return failure(ErrorKind::kUnsupported, path_,
                     "is not a profiler trace: it does not start with a JSON object", kWhatIsRead);
    }
    ++position_;
    return split_members();
  }

  [[nodiscard]] tl::unexpected<Error> cut() {
    broken_at_ = window_.offset(window_.end());
    return failure(ErrorKind::kSyntax, fmt::format("{}:byte {}", path_, broken_at_),
                   "the trace is cut off before its end",
                   "copy the file again, or record again and let the profiler finish");
  }
  [[nodiscard]] tl::unexpected<Error> not_json(std::string_view seen) {
    broken_at_ = window_.offset(position_);
    return failure(ErrorKind::kSyntax, fmt::format("{}:byte {}", path_, broken_at_),
                   fmt::format("not JSON: {}", seen), "record again, or export the trace again");
  }

  /// Keeps from `keep` on, reads more, adjusts position_ and `keep`.
  [[nodiscard]] Result<void> more(std::size_t& keep) {
    auto moved = window_.slide(keep);
    if (!moved) return failure(moved.error());
    keep -= *moved;
    position_ -= *moved;
    return {};
  }

  /// The next byte that is not white space, not consumed. Errors at the end of the file.
  [[nodiscard]] Result<char> next_token() {
    for (;;) {
      while (position_ < window_.end()) {
        const char c = window_.data()[position_];
        if (!is_space(c)) return c;
        ++position_;
      }
      std::size_t keep = position_;
      if (auto read = more(keep); !read) return failure(read.error());
      if (window_.at_end()) return cut();
    }
  }

  /// Consumes a string and returns its raw text between the quotes.
  [[nodiscard]] Result<std::string> string_token() {
    std::string text;
    ++position_;
    bool escape = false;
    for (;;) {
      while (position_ < window_.end()) {
        const char c = window_.data()[position_++];
        if (!escape && c == '"') return text;
        escape = !escape && c == '\\';
        if (text.size() < kMemberBytes) text += c;
      }
      std::size_t keep = position_;
      if (auto read = more(keep); !read) return failure(read.error());
      if (window_.at_end()) return cut();
    }
  }

  [[nodiscard]] tl::unexpected<Error> no_trace() const {
    return failure(ErrorKind::kUnsupported, path_,
                   "is not a profiler trace: text follows a first pair of brackets", kWhatIsRead);
  }

  /// Behind a bare list of events only white space may stand, or the text was no list of events.
  [[nodiscard]] Result<void> nothing_behind() {
    for (;;) {
      while (position_ < window_.end()) {
        if (!is_space(window_.data()[position_])) return no_trace();
        ++position_;
      }
      std::size_t keep = position_;
      if (auto read = more(keep); !read) return failure(read.error());
      if (window_.at_end()) return {};
    }
  }

  [[nodiscard]] Result<void> split_members() {
    for (;;) {
      auto c = next_token();
      if (!c) return failure(c.error());
      if (*c == '}') break;
      if (*c == ',') {
        ++position_;
        continue;
      }
      if (*c != '"') return not_json("a member name was expected");
      auto key = string_token();
      if (!key) return failure(key.error());
      c = next_token();
      if (!c) return failure(c.error());
      if (*c != ':') return not_json("a colon was expected");
      ++position_;
      c = next_token();
      if (!c) return failure(c.error());
      if (*key == "traceEvents" && *c == '[') {
        ++position_;
        saw_events_ = true;
        if (auto done = split_events(); !done) return done;
      } else {
        auto value = value_token(*c);
        if (!value) return failure(value.error());
        if (value->size() < kMemberBytes) {
          if (auto done = sink_.member(*key, *value); !done) return done;
        }
      }
    }
    if (!saw_events_) {
      return failure(ErrorKind::kUnsupported, path_,
                     "is JSON without a traceEvents list, so not a profiler trace",
                     "give the file that torch.profiler's export_chrome_trace wrote");
    }
    return {};
  }

  /// Consumes one value; its text is kept up to kMemberBytes.
  [[nodiscard]] Result<std::string> value_token(char first) {
    if (first == '"') {
      auto text = string_token();
      if (!text) return text;
      return '"' + *text + '"';
    }
    std::string text;
    const bool nested = first == '{' || first == '[';
    BracketScanner scanner;
    bool closed = false;
    for (;;) {
      const std::size_t begin = position_;
      if (nested) {
        position_ =
            scanner.scan(window_.data(), position_, window_.end(), [&](std::size_t, bool opens) {
              closed = !opens;
              return opens;
            });
      } else {
        while (position_ < window_.end() && !closed) {
          const char c = window_.data()[position_];
          closed = c == ',' || c == '}' || is_space(c);
          if (!closed) ++position_;
        }
      }
      if (text.size() < kMemberBytes) text.append(window_.data() + begin, position_ - begin);
      if (closed) return text;
      std::size_t keep = position_;
      if (auto read = more(keep); !read) return failure(read.error());
      if (window_.at_end()) return cut();
    }
  }

  /// From behind the `[` of the event list to behind its `]`.
  [[nodiscard]] Result<void> split_events() {
    EventList list(position_);
    for (;;) {
      list.scan(window_.data(), window_.end(), window_.at_end());
      const bool open = list.open() != EventList::kNone;
      const bool too_long = open && list.position() - list.open() > kEventBytesLimit;
      const bool last = list.closed() || list.broken() || window_.at_end() || too_long;
      const bool whole = list.first() != EventList::kNone;
      const std::size_t keep = open ? list.open() : list.position();
      if (whole && (last || list.last() - list.first() >= kRunBytes)) {
        EventRun run;
        auto moved = window_.give_away(list.first(), list.last(), keep, sink_.spare(), run);
        if (!moved) return failure(moved.error());
        list.forget_whole_events();
        list.move_down(*moved);
        saw_events_ = true;
        if (auto done = sink_.events(std::move(run)); !done) return done;
      } else if (!last) {
        auto moved = window_.slide(whole ? list.first() : keep);
        if (!moved) return failure(moved.error());
        list.move_down(*moved);
      }
      position_ = list.position();
      if (list.closed()) {
        events_whole_ = true;
        return {};
      }
      if (list.broken() && bare_ && !saw_events_) return no_trace();
      if (list.broken()) return not_json("a bracket too many after an event");
      if (too_long) {
        return not_json(fmt::format("one event is longer than {} MiB", kEventBytesLimit >> 20));
      }
      if (last) return cut();
    }
  }

  TraceWindow window_;
  const std::string& path_;
  TraceSink& sink_;
  std::size_t position_ = kHeadroomBytes;
  std::uint64_t broken_at_ = 0;
  bool saw_events_ = false;
  bool events_whole_ = false;
  bool bare_ = false;  ///< the text is the list of events itself
};

}  // namespace

Result<std::optional<TraceBreak>> split_trace(ByteSource& source, const std::string& path,
                                              TraceSink& sink) {
  return Splitter(source, path, sink).run();
}

}  // namespace uplift::read
