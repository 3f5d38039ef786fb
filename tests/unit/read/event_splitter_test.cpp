// SPDX-License-Identifier: Apache-2.0
// Cutting a trace into events: against a reference that walks byte by byte, for any text, any size
// of the pieces it arrives in, and any place of the window's edge.
#include "uplift/read/trace/event_splitter.hpp"

#include "tests/unit/read/memory_source.hpp"
#include "uplift/read/trace/bracket_scanner.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <string>
#include <utility>
#include <vector>

namespace uplift::read {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using Brackets = std::vector<std::pair<std::size_t, bool>>;

Brackets naive_brackets(const std::string& text) {
  Brackets found;
  bool in_string = false;
  bool escape = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (escape) {
      escape = false;
      continue;
    }
    if (in_string && c == '\\') {
      escape = true;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      found.emplace_back(i, true);
    } else if (!in_string && (c == '}' || c == ']')) {
      found.emplace_back(i, false);
    }
  }
  return found;
}

/// Those at which a value at the top level begins or ends.
Brackets naive_edges(const std::string& text) {
  Brackets edges;
  int depth = 0;
  for (const auto& [at, opens] : naive_brackets(text)) {
    if (opens ? depth <= 0 : depth <= 1) edges.emplace_back(at, opens);
    depth += opens ? 1 : -1;
  }
  return edges;
}

Brackets scanned_edges(std::string text, const std::vector<std::size_t>& cuts) {
  const std::size_t size = text.size();
  text.append(kBlockBytes, '"');  // readable, and must not matter
  Brackets found;
  BracketScanner scanner;
  std::size_t begin = 0;
  for (std::size_t cut : cuts) {
    cut = std::clamp(cut, begin, size);
    scanner.scan(text.data(), begin, cut, [&](std::size_t at, bool opens) {
      found.emplace_back(at, opens);
      return true;
    });
    begin = cut;
  }
  scanner.scan(text.data(), begin, size, [&](std::size_t at, bool opens) {
    found.emplace_back(at, opens);
    return true;
  });
  return found;
}

/// JSON strings with everything that can confuse a scanner, backslashes always in valid escapes.
rc::Gen<std::string> json_string() {
  const auto part = rc::gen::oneOf(
      rc::gen::element<std::string>("{", "}", "[", "]", ",", ":", " ", "\xc3\xa9", "a"),
      rc::gen::element<std::string>("\\\"", "\\\\", "\\n", "\\u0022", "\\\\\\\\", "\\\\\\\""),
      rc::gen::map(
          rc::gen::inRange(1, 140),
          [](int pairs) { return std::string(2 * static_cast<std::size_t>(pairs), '\\'); }),
      rc::gen::map(rc::gen::inRange(1, 70),
                   [](int length) { return std::string(static_cast<std::size_t>(length), 'x'); }));
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(part),
                      [](const std::vector<std::string>& parts) {
                        std::string text = "\"";
                        for (const auto& p : parts) text += p;
                        return text + '"';
                      });
}

rc::Gen<std::string> space() {
  return rc::gen::element<std::string>("", "", " ", "\n", "\r\n", "\t", "                    ");
}

/// An object or list of strings, numbers and smaller ones of its kind.
std::string draw_value(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 4 : 2);
  if (kind == 0) return *json_string();
  if (kind == 1) return *rc::gen::element<std::string>("0", "-1.5e3", "true", "null");
  const int count = *rc::gen::inRange(0, 4);
  std::string text = kind == 2 ? "{" : "[";
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += "," + *space();
    if (kind == 2) text += *json_string() + *space() + ":" + *space();
    text += draw_value(depth - 1) + *space();
  }
  return text + (kind == 2 ? "}" : "]");
}

std::string draw_object() {
  std::string text = "{" + *space() + "\"k\":" + draw_value(3);
  return text + *space() + "}";
}

struct Collector final : TraceSink {
  std::vector<std::string> events_seen;
  std::vector<std::pair<std::string, std::string>> members;
  std::optional<TraceBreak> broken;  ///< where the text broke off

  Result<void> events(EventRun given) override {
    const std::string run(given.text());
    // By the reference, not by the scanner under test.
    int depth = 0;
    std::size_t open = 0;
    for (const auto& [at, opens] : naive_brackets(run)) {
      if (opens && depth++ == 0) open = at;
      if (!opens && --depth == 0) events_seen.push_back(run.substr(open, at + 1 - open));
    }
    EXPECT_EQ(0, depth) << "only whole events";
    given.data()[-1] = '[';  // as the contract allows
    std::fill_n(given.data() + given.length, kPaddingBytes, '{');
    spare_ = std::move(given.buffer);
    return {};
  }
  Result<void> member(std::string_view key, std::string_view value) override {
    members.emplace_back(key, value);
    return {};
  }
  TextBuffer spare() override { return std::move(spare_); }

 private:
  TextBuffer spare_;
};

std::string split(const std::string& text, Collector& sink, std::size_t piece = SIZE_MAX) {
  MemorySource source(text, piece);
  auto done = split_trace(source, "file", sink);
  if (done) sink.broken = *done;
  return done ? "" : done.error().line();
}

RC_GTEST_PROP(BracketScanner, AgreesWithAWalkByteByByte, ()) {
  std::string text;
  for (int i = *rc::gen::inRange(1, 12); i > 0; --i) text += *space() + draw_value(2);
  auto cuts = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::inRange<std::size_t>(0, text.size() + 1));
  std::sort(cuts.begin(), cuts.end());
  RC_ASSERT(scanned_edges(text, cuts) == naive_edges(text));
}

// Runs of every length over the edge of a block, ended by a quote that is escaped or is not.
TEST(BracketScanner, BackslashRunsAcrossTheBlockEdge) {
  for (std::size_t before = 55; before < 66; ++before) {
    for (std::size_t run = 0; run < 140; ++run) {
      const std::string text = '"' + std::string(before, 'x') + std::string(run, '\\') + "\"{\"}";
      EXPECT_EQ(naive_edges(text), scanned_edges(text, {})) << before << " " << run;
      EXPECT_EQ(naive_edges(text), scanned_edges(text, {64, 65, 100})) << before << run;
    }
  }
}

RC_GTEST_PROP(EventSplitter, HandsOverEveryEventWholeAndInOrder, ()) {
  std::vector<std::string> events;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) events.push_back(draw_object());
  std::string list = "[" + *space();
  for (std::size_t i = 0; i < events.size(); ++i) {
    list += (i > 0 ? *space() + "," + *space() : "") + events[i];
  }
  list += *space() + "]";
  std::string text = *rc::gen::element<std::string>("", "\xef\xbb\xbf");
  const bool bare = *rc::gen::arbitrary<bool>();
  std::string before;
  std::string after;
  if (bare) {
    text += *space() + list;
  } else {
    before = draw_value(2);
    after = draw_value(2);
    text += *space() + "{\"schemaVersion\":" + *space() + before + *space() + ",\"traceEvents\"" +
            *space() + ":" + *space() + list + ",\"other\":" + after + *space() + "}" + *space();
  }
  const std::size_t piece = *rc::gen::element<std::size_t>(1, 2, 3, 63, 64, 65, 1000, SIZE_MAX);
  Collector sink;
  RC_ASSERT(split(text, sink, piece).empty());
  RC_ASSERT(sink.events_seen == events);
  if (!bare) {
    RC_ASSERT(sink.members.size() == 2u);
    RC_ASSERT(sink.members[0] == std::make_pair(std::string("schemaVersion"), before));
    RC_ASSERT(sink.members[1] == std::make_pair(std::string("other"), after));
  }
}

RC_GTEST_PROP(EventSplitter, AnyBytesGiveAnAnswerOrOneLine, (const std::string& bytes)) {
  const std::string start = *rc::gen::element<std::string>("", "{", "[", "{\"traceEvents\":[");
  struct Ignore final : TraceSink {
    Result<void> events(EventRun) override { return {}; }
    Result<void> member(std::string_view, std::string_view) override { return {}; }
  } sink;
  for (const std::size_t piece : {std::size_t{1}, SIZE_MAX}) {
    MemorySource source(start + bytes, piece);
    auto done = split_trace(source, "file", sink);
    RC_ASSERT(done || !done.error().seen.empty());
  }
}

TEST(EventSplitter, AByteOrderMarkThatIsCutIsAnError) {
  for (const char* text : {"\xef", "\xef\xbb", "\xef\xbb\xbf"}) {
    for (const std::size_t piece : {std::size_t{1}, SIZE_MAX}) {
      Collector sink;
      EXPECT_THAT(split(text, sink, piece), HasSubstr("cut off"));
    }
  }
}

TEST(EventSplitter, ACutInFrontOfTheEventsIsAnErrorAndLaterOnABreak) {
  const std::string text =
      R"({"a": "b\"", "n": {"x": [1]}, "traceEvents": [{"ph": "X"}, {"q": "}"}], "z": 1.5})";
  const std::size_t list = text.find("[{\"ph") + 1;
  for (std::size_t length = 1; length < text.size(); ++length) {
    Collector sink;
    const std::string line = split(text.substr(0, length), sink);
    if (length < list) {
      EXPECT_EQ("file:byte " + std::to_string(length) +
                    ": the trace is cut off before its end; copy the file again, or record again "
                    "and let the profiler finish",
                line);
      continue;
    }
    EXPECT_EQ("", line);
    ASSERT_TRUE(sink.broken);
    EXPECT_EQ(length, sink.broken->offset);
    const bool first = length > text.find("\"X\"}") + 3;
    const bool second = length > text.find("}\"}") + 2;
    EXPECT_EQ((first ? 1u : 0u) + (second ? 1u : 0u), sink.events_seen.size()) << length;
  }
  Collector sink;
  EXPECT_EQ("", split(text, sink));
  EXPECT_FALSE(sink.broken);
  EXPECT_THAT(sink.events_seen, ElementsAre(R"({"ph": "X"})", R"({"q": "}"})"));
  EXPECT_THAT(sink.members,
              ElementsAre(Pair("a", R"("b\"")"), Pair("n", R"({"x": [1]})"), Pair("z", "1.5")));
}

TEST(EventSplitter, WhatIsNotATraceIsRefusedInWords) {
  Collector sink;
  EXPECT_THAT(split("name,kind\n", sink), HasSubstr("does not start with a JSON object"));
  EXPECT_THAT(split("{}", sink), HasSubstr("JSON without a traceEvents list"));
  EXPECT_THAT(split(R"({"traceEvents": {"a": []}})", sink), HasSubstr("without a traceEvents"));
  EXPECT_THAT(split("{1: 2}", sink), HasSubstr("file:byte 1: not JSON: a member name"));
  EXPECT_THAT(split(R"({"a" 2})", sink), HasSubstr("file:byte 5: not JSON: a colon"));
  EXPECT_THAT(sink.events_seen, IsEmpty());
}

TEST(EventSplitter, NoEventsAreNoError) {
  Collector sink;
  EXPECT_EQ("", split(R"({"traceEvents": []})", sink));
  EXPECT_EQ("", split("[ ]", sink));
  EXPECT_THAT(sink.events_seen, IsEmpty());
}

TEST(EventSplitter, EventsAndMembersLargerThanTheWindowPassThrough) {
  const std::string large = "{\"v\": \"" + std::string(5 << 20, '}') + "\"}";
  std::string nested = "[";
  while (nested.size() < (3u << 20)) nested += R"({"device": "]"},)";
  nested += "0]";
  const std::string text = "{\"big\": " + nested + ", \"text\": \"" + std::string(2 << 20, 'x') +
                           "\", \"traceEvents\": [{\"a\":1}," + large + ",{\"b\":2}], \"end\": 1}";
  for (const std::size_t piece : {std::size_t{100'000}, SIZE_MAX}) {
    Collector sink;
    EXPECT_EQ("", split(text, sink, piece));
    ASSERT_EQ(3u, sink.events_seen.size());
    EXPECT_TRUE(sink.events_seen[1] == large);
    EXPECT_THAT(sink.members, ElementsAre(Pair("end", "1")));  // the others are over the limit
  }
}

TEST(EventSplitter, AnEventOverTheLimitBreaksTheTraceOff) {
  const std::string text =
      "[{},{\"v\": \"" + std::string(kEventBytesLimit + (4 << 20), 'x') + "\"}]";
  Collector sink;
  EXPECT_EQ("", split(text, sink));
  ASSERT_TRUE(sink.broken);
  EXPECT_THAT(sink.broken->error.seen, HasSubstr("one event is longer than 16 MiB"));
  EXPECT_THAT(sink.events_seen, ElementsAre("{}"));
}

// By JSON's own rule, a raw quote in a name turns strings inside out from there on.
TEST(EventSplitter, RawQuotesInANameCostNoEvent) {
  const std::vector<std::string> names = {R"(say "hello")", R"(5" disk)",       R"(C:\dir\)",
                                          R"(a {"b"} [c)",  R"j(f("x", "y"))j", R"j(}" ])j",
                                          R"(""[{"")"};
  for (const char* space : {"", "\n  "}) {
    std::vector<std::string> events;
    std::string text = "{\"traceEvents\": [";
    for (int i = 0; i < 70; ++i) {
      const std::string name = i % 10 == 9 ? names[static_cast<std::size_t>(i / 10)] : "plain";
      events.push_back(std::string("{") + space + "\"name\": \"" + name + "\"," + space +
                       "\"args\": {" + space + "\"n\": " + std::to_string(i) + "}}");
      text += (i > 0 ? "," : "") + std::string(space) + events.back();
    }
    text += "], \"end\": 1}";
    struct Runs final : TraceSink {
      std::string text;
      Result<void> events(EventRun run) override {
        text += std::string(run.text()) + ",";
        return {};
      }
      Result<void> member(std::string_view key, std::string_view) override {
        text += key;
        return {};
      }
    };
    for (const std::size_t piece : {std::size_t{1}, std::size_t{50}, SIZE_MAX}) {
      Runs sink;
      MemorySource source(text, piece);
      auto done = split_trace(source, "file", sink);
      ASSERT_TRUE(done) << done.error().line();
      EXPECT_FALSE(*done) << (*done)->error.line();
      EXPECT_THAT(sink.text, HasSubstr(events.back()));
      EXPECT_TRUE(sink.text.ends_with(",end")) << sink.text;
    }
  }
}

TEST(EventSplitter, NestingOfAnyDepthIsFollowed) {
  constexpr std::size_t kDepth = 1'000'000;
  const std::string event = "{\"a\":" + std::string(kDepth, '[') + std::string(kDepth, ']') + "}";
  Collector sink;
  EXPECT_EQ("", split("[" + event + "]", sink));
  ASSERT_EQ(1u, sink.events_seen.size());
  EXPECT_TRUE(sink.events_seen[0] == event);
}

// The source is read to its end, where a checksum may fail.
TEST(EventSplitter, ErrorsBehindTheLastBracketAreSeen) {
  class FailsAtTheEnd final : public ByteSource {
   public:
    Result<std::size_t> read(std::span<char> out) override {
      if (std::exchange(given_, true)) return failure(ErrorKind::kSyntax, "file", "bad checksum");
      out[0] = '[';
      out[1] = ']';
      return 2;
    }
    std::uint64_t file_position() const override { return 0; }
    std::uint64_t file_size() const override { return 0; }

   private:
    bool given_ = false;
  } source;
  Collector sink;
  auto done = split_trace(source, "file", sink);
  ASSERT_TRUE(done);
  ASSERT_TRUE(*done);
  EXPECT_EQ("bad checksum", (*done)->error.seen);
}

TEST(EventSplitter, AnErrorOfTheSinkEndsTheReading) {
  struct Refuse final : TraceSink {
    Result<void> events(EventRun) override {
      return failure(ErrorKind::kUnsupported, "", "enough");
    }
    Result<void> member(std::string_view, std::string_view) override { return {}; }
  } sink;
  MemorySource source("[{}]");
  auto done = split_trace(source, "file", sink);
  ASSERT_FALSE(done);
  EXPECT_EQ("enough", done.error().seen);
}

}  // namespace
}  // namespace uplift::read
