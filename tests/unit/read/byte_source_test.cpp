// SPDX-License-Identifier: Apache-2.0
// Files in every shape that profilers, copies and broken downloads leave behind. What was written
// comes back byte for byte, whatever the size of the pieces asked for.
#include "uplift/read/byte_source.hpp"

#include "tests/unit/read/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <cstdint>
#include <fstream>
#include <gmock/gmock.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

namespace uplift::read {
namespace {

using testing::HasSubstr;

std::string gzip(std::string text) {
  std::string out(2 * text.size() + 1024, '\0');
  isal_zstream stream;
  isal_deflate_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<std::uint8_t*>(text.data());
  stream.avail_in = static_cast<std::uint32_t>(text.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  EXPECT_EQ(COMP_OK, isal_deflate(&stream));
  EXPECT_EQ(ZSTATE_END, stream.internal_state.state);
  out.resize(stream.total_out);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// Text with some structure: repeats, and numbers that do not.
std::string sample(std::size_t bytes) {
  std::string text;
  std::uint64_t state = 1;
  while (text.size() < bytes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    text += R"({"ph": "X", "name": "kernel", "ts": )" + std::to_string(state >> 20) + "},\n";
  }
  text.resize(bytes);
  return text;
}

/// Everything in the file, read in pieces of `piece` bytes; or the error line.
std::string contents(const std::string& path, std::size_t piece = 4096) {
  auto source = open_byte_source(path);
  if (!source) return source.error().line();
  std::string all;
  std::vector<char> buffer(piece);
  for (;;) {
    auto got = (*source)->read(buffer);
    if (!got) return got.error().line();
    if (*got == 0) break;
    all.append(buffer.data(), *got);
  }
  auto again = (*source)->read(buffer);
  EXPECT_TRUE(again && *again == 0) << "the end stays the end";
  return all;
}

class ByteSourceTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(ByteSourceTest, PlainFileComesBackAsWritten) {
  const std::string text = sample(700'000);
  const std::string path = folder_.write("plain", text);
  for (const std::size_t piece : {std::size_t{7}, std::size_t{4096}, std::size_t{1} << 20}) {
    EXPECT_TRUE(contents(path, piece) == text) << piece;
  }
  EXPECT_EQ("x", contents(folder_.write("one", "x")));
  EXPECT_EQ("abc", contents(folder_.write("three", "abc")));
}

TEST_F(ByteSourceTest, GzipComesBackWhateverThePieces) {
  for (const std::size_t size : {0, 1, 1000, 300'000, 3'000'000}) {
    const std::string text = sample(size);
    const std::string path = folder_.write("gz", gzip(text));
    for (const std::size_t piece : {1, 13, 1000, 4096, 65536, 1 << 20}) {
      if (piece < 1000 && size > 300'000) continue;
      EXPECT_TRUE(contents(path, piece) == text) << size << " in pieces of " << piece;
    }
  }
}

TEST_F(ByteSourceTest, ZstdComesBackWhateverThePieces) {
  for (const std::size_t size : {0, 1, 1000, 300'000, 3'000'000}) {
    const std::string text = sample(size);
    const std::string path = folder_.write("zst", zstd(text));
    for (const std::size_t piece : {1, 13, 1000, 4096, 65536, 1 << 20}) {
      if (piece < 1000 && size > 300'000) continue;
      EXPECT_TRUE(contents(path, piece) == text) << size << " in pieces of " << piece;
    }
  }
}

// All of the compressed bytes are taken in long before the last of the text comes out.
TEST_F(ByteSourceTest, TextMuchLargerThanItsFileIsComplete) {
  const std::string text(5'000'000, 'a');
  for (const std::size_t piece : {1000, 65536, 1 << 20}) {
    EXPECT_TRUE(contents(folder_.write("gz", gzip(text)), piece) == text) << "gzip " << piece;
    EXPECT_TRUE(contents(folder_.write("zst", zstd(text)), piece) == text) << "zstd " << piece;
  }
}

TEST_F(ByteSourceTest, SeveralMembersAreOneText) {
  const std::string a = sample(100'000);
  EXPECT_TRUE(contents(folder_.write("gz", gzip(a) + gzip("middle") + gzip(a)), 1000) ==
              a + "middle" + a);
  EXPECT_TRUE(contents(folder_.write("zst", zstd(a) + zstd("middle") + zstd(a)), 1000) ==
              a + "middle" + a);
}

TEST_F(ByteSourceTest, PaddingBehindGzipIsIgnored) {
  EXPECT_EQ("text", contents(folder_.write("gz", gzip("text") + std::string(512, '\0'))));
}

// Every length short of the whole is an error; none is an answer, and none hangs.
TEST_F(ByteSourceTest, CutStreamsSayWhereTheyEnd) {
  const std::string text = sample(3000);
  const std::string packed_gzip = gzip(text);
  const std::string packed_zstd = zstd(text);
  for (std::size_t length = 4; length < packed_gzip.size(); length += 7) {
    const std::string path = folder_.write("gz", packed_gzip.substr(0, length));
    EXPECT_EQ(contents(path, 64), path + ":byte " + std::to_string(length) +
                                      ": the gzip stream is cut off; copy the file again, or "
                                      "record again and let the profiler finish");
  }
  for (std::size_t length = 4; length < packed_zstd.size(); length += 7) {
    const std::string path = folder_.write("zst", packed_zstd.substr(0, length));
    EXPECT_THAT(contents(path, 64), HasSubstr("the zstd stream is cut off")) << length;
  }
  const std::string last = folder_.write("gz", packed_gzip.substr(0, packed_gzip.size() - 1));
  EXPECT_THAT(contents(last), HasSubstr("cut off"));
}

TEST_F(ByteSourceTest, DamagedStreamsSayWhy) {
  const std::string text = sample(3000);
  std::string checksum = gzip(text);
  checksum[checksum.size() - 8] = static_cast<char>(~checksum[checksum.size() - 8]);
  EXPECT_THAT(contents(folder_.write("crc", checksum)),
              HasSubstr("the gzip stream is damaged (checksum mismatch)"));
  std::string method = gzip(text);
  method[2] = 7;
  EXPECT_THAT(contents(folder_.write("method", method)), HasSubstr("unknown compression method"));
  std::string data = gzip(text);
  data[10] = '\x07';  // a block of the type that does not exist
  EXPECT_THAT(contents(folder_.write("data", data)), HasSubstr("the gzip stream is damaged"));
  std::string frame = zstd(text);
  frame[frame.size() / 2] = static_cast<char>(~frame[frame.size() / 2]);
  frame[5] = static_cast<char>(~frame[5]);
  EXPECT_THAT(contents(folder_.write("frame", frame)), HasSubstr("zstd stream is"));
}

TEST_F(ByteSourceTest, FilesThatCannotBeReadSayWhy) {
  EXPECT_EQ(contents(folder_.write("empty", "")),
            folder_.file("empty") +
                ": the file is empty; record again and let the profiler finish writing");
  EXPECT_EQ(contents(folder_.file("none")),
            folder_.file("none") + ": cannot be opened: No such file or directory; check the path");
  EXPECT_EQ(contents(folder_.path()), folder_.path() + ": is a directory, not a recording");
}

TEST_F(ByteSourceTest, APipeThatGivesSingleBytesIsRead) {
  const std::string text = sample(3000);
  for (const std::string& packed : {text, gzip(text), zstd(text)}) {
    const std::string path = folder_.file("fifo");
    ASSERT_EQ(0, ::mkfifo(path.c_str(), 0600));
    std::thread writer([&] {
      std::ofstream pipe(path, std::ios::binary);
      for (const char c : packed) pipe << c << std::flush;
    });
    EXPECT_TRUE(contents(path) == text);
    writer.join();
    std::filesystem::remove(path);
  }
}

TEST_F(ByteSourceTest, PositionFollowsTheFileAndEndsAtItsSize) {
  const std::string path = folder_.write("gz", gzip(sample(2'000'000)));
  auto source = open_byte_source(path);
  ASSERT_TRUE(source);
  EXPECT_EQ(std::filesystem::file_size(path), (*source)->file_size());
  std::vector<char> buffer(65536);
  std::uint64_t before = 0;
  for (;;) {
    auto got = (*source)->read(buffer);
    ASSERT_TRUE(got);
    if (*got == 0) break;
    EXPECT_LE(before, (*source)->file_position());
    before = (*source)->file_position();
  }
  EXPECT_EQ((*source)->file_size(), (*source)->file_position());
}

}  // namespace
}  // namespace uplift::read
