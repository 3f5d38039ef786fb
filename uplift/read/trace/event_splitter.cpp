// SPDX-License-Identifier: Apache-2.0
// The window, and the few states of a trace's top level around it.
#include "uplift/read/trace/event_splitter.hpp"

#include "uplift/read/trace/bracket_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace uplift::read {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{1} << 20;
constexpr std::size_t kSmallestWindow = std::size_t{1} << 12;
constexpr std::size_t kHeadroom = 64;  // room to put a bracket before the first event

constexpr const char* kWhatIsRead =
    "uplift reads PyTorch profiler traces (.json, .json.gz, .json.zst)";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// A movable window over the decompressed file.
class Window {
 public:
  explicit Window(ByteSource& source)
      : source_(source), buffer_(kHeadroom + first_size(source) + kPaddingBytes) {}

  [[nodiscard]] char* data() { return buffer_.data(); }
  [[nodiscard]] std::size_t end() const { return end_; }
  [[nodiscard]] std::uint64_t offset(std::size_t position) const {
    return base_offset_ + (position - kHeadroom);
  }

  /// Drops what lies before `keep` and reads more behind. Returns how far positions moved down;
  /// `at_end()` tells whether anything came.
  [[nodiscard]] Result<std::size_t> slide(std::size_t keep) {
    const std::size_t moved = keep - kHeadroom;
    const std::size_t kept = end_ - keep;
    std::memmove(buffer_.data() + kHeadroom, buffer_.data() + keep, kept);
    base_offset_ += moved;
    end_ = kHeadroom + kept;
    if (kept > (buffer_.size() - kHeadroom - kPaddingBytes) / 2) {
      buffer_.resize(kHeadroom + 2 * (buffer_.size() - kHeadroom - kPaddingBytes) + kPaddingBytes);
    }
    const std::size_t room = buffer_.size() - kPaddingBytes - end_;
    auto got = source_.read({buffer_.data() + end_, room});
    if (!got) return failure(got.error());
    at_end_ = *got == 0;
    end_ += *got;
    return moved;
  }
  [[nodiscard]] bool at_end() const { return at_end_; }

 private:
  /// A small file needs no large window; it grows where an event asks for it. 0 is a pipe.
  [[nodiscard]] static std::size_t first_size(const ByteSource& source) {
    const std::uint64_t size = source.file_size();
    return size == 0 || size > kWindowBytes
               ? kWindowBytes
               : std::max(kSmallestWindow, static_cast<std::size_t>(size));
  }

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t end_ = kHeadroom;
  std::uint64_t base_offset_ = 0;
  bool at_end_ = false;
};

class Splitter {
 public:
  Splitter(ByteSource& source, const std::string& path, TraceSink& sink)
      : window_(source), path_(path), sink_(sink) {}

  [[nodiscard]] Result<void> run() {
    auto done = split();
    // To the very end: a checksum that does not fit, or a cut, may stand behind the last bracket.
    while (done && !window_.at_end()) {
      if (auto moved = window_.slide(window_.end()); !moved) return failure(moved.error());
    }
    return done;
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

  [[nodiscard]] tl::unexpected<Error> cut() const {
    return failure(ErrorKind::kSyntax,
                   fmt::format("{}:byte {}", path_, window_.offset(window_.end())),
                   "the trace is cut off before its end",
                   "copy the file again, or record again and let the profiler finish");
  }
  [[nodiscard]] tl::unexpected<Error> not_json(std::string_view seen) const {
    return failure(ErrorKind::kSyntax, fmt::format("{}:byte {}", path_, window_.offset(position_)),
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

  /// Behind a bare list of events only white space may stand, or the text was no list of events.
  [[nodiscard]] Result<void> nothing_behind() {
    for (;;) {
      while (position_ < window_.end()) {
        if (!is_space(window_.data()[position_])) {
          return failure(ErrorKind::kUnsupported, path_,
                         "is not a profiler trace: text follows a first pair of brackets",
                         kWhatIsRead);
        }
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
    int depth = 0;
    bool closed = false;
    for (;;) {
      const std::size_t begin = position_;
      if (nested) {
        position_ =
            scanner.scan(window_.data(), position_, window_.end(), [&](std::size_t, bool opens) {
              depth += opens ? 1 : -1;
              closed = depth == 0;
              return !closed;
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
    BracketScanner scanner;
    int depth = 0;
    constexpr std::size_t kNone = SIZE_MAX;
    std::size_t first = kNone;  // start of the first whole event not handed over yet
    std::size_t last = kNone;   // end of the last whole one
    std::size_t open = kNone;   // start of the event being scanned
    bool list_closed = false;
    bool too_long = false;
    for (;;) {
      position_ =
          scanner.scan(window_.data(), position_, window_.end(), [&](std::size_t at, bool opens) {
            if (opens) {
              if (depth++ == 0) open = at;
              return true;
            }
            if (--depth == 0) {
              too_long = at - open > kEventBytesLimit;
              if (too_long) return false;
              if (first == kNone) first = open;
              last = at + 1;
              open = kNone;
            }
            list_closed = depth < 0;
            return !list_closed;
          });
      if (too_long || (open != kNone && position_ - open > kEventBytesLimit)) {
        return not_json(fmt::format("one event is longer than {} MiB", kEventBytesLimit >> 20));
      }
      if (first != kNone) {
        auto done = hand_over(first, last);
        if (!done) return done;
        first = last = kNone;
      }
      if (list_closed) return {};
      std::size_t keep = open == kNone ? position_ : open;
      if (auto read = more(keep); !read) return failure(read.error());
      if (open != kNone) open = keep;
      if (window_.at_end()) return cut();
    }
  }

  [[nodiscard]] Result<void> hand_over(std::size_t first, std::size_t last) {
    // The sink may write one byte before and the padding behind; bytes not yet scanned survive.
    char* text = window_.data() + first;
    char saved[kPaddingBytes];
    std::memcpy(saved, window_.data() + last, kPaddingBytes);
    auto done = sink_.events(text, last - first, window_.offset(first));
    std::memcpy(window_.data() + last, saved, kPaddingBytes);
    return done;
  }

  Window window_;
  const std::string& path_;
  TraceSink& sink_;
  std::size_t position_ = kHeadroom;
  bool saw_events_ = false;
};

}  // namespace

Result<void> split_trace(ByteSource& source, const std::string& path, TraceSink& sink) {
  return Splitter(source, path, sink).run();
}

}  // namespace uplift::read
