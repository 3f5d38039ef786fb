// SPDX-License-Identifier: Apache-2.0
// Plain files by read(), gzip by ISA-L, zstd by libzstd; the first bytes decide which.
#include "uplift/read/byte_source.hpp"

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace uplift::read {
namespace {

constexpr std::size_t kInputBytes = std::size_t{256} << 10;

/// A file descriptor with a look-ahead buffer, so that the first bytes can be examined.
class RawFile {
 public:
  RawFile(int fd, std::string path, std::uint64_t size)
      : fd_(fd), path_(std::move(path)), size_(size) {}
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  ~RawFile() { ::close(fd_); }

  [[nodiscard]] Result<std::size_t> read(char* out, std::size_t count) {
    for (;;) {
      const ssize_t got = ::read(fd_, out, count);
      if (got >= 0) {
        position_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) {
        return failure(ErrorKind::kIo, path_,
                       fmt::format("cannot be read: {}", std::strerror(errno)));
      }
    }
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  int fd_;
  std::string path_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
};

/// Shared by the three: the file, and an input buffer that already holds its first bytes.
class FileSource : public ByteSource {
 public:
  FileSource(std::unique_ptr<RawFile> file, std::vector<char> input, std::size_t filled)
      : file_(std::move(file)), input_(std::move(input)), end_(filled) {}
  [[nodiscard]] std::uint64_t file_position() const override {
    return file_->position() - (end_ - begin_);
  }
  [[nodiscard]] std::uint64_t file_size() const override { return file_->size(); }

 protected:
  [[nodiscard]] Result<std::size_t> refill() {
    begin_ = end_ = 0;
    auto got = file_->read(input_.data(), input_.size());
    if (got) end_ = *got;
    return got;
  }
  [[nodiscard]] tl::unexpected<Error> cut(std::string_view format) const {
    return failure(ErrorKind::kSyntax, fmt::format("{}:byte {}", file_->path(), file_position()),
                   fmt::format("the {} stream is cut off", format),
                   "copy the file again, or record again and let the profiler finish");
  }
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view format, std::string_view why) const {
    return failure(ErrorKind::kSyntax, fmt::format("{}:byte {}", file_->path(), file_position()),
                   fmt::format("the {} stream is damaged ({})", format, why),
                   "copy the file again, or record again");
  }

  std::unique_ptr<RawFile> file_;
  std::vector<char> input_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::optional<Error> damage_;  ///< seen behind output that was still good
};

class PlainSource final : public FileSource {
 public:
  using FileSource::FileSource;
  [[nodiscard]] Result<std::size_t> read(std::span<char> out) override {
    if (begin_ < end_) {
      const std::size_t count = std::min(out.size(), end_ - begin_);
      std::memcpy(out.data(), input_.data() + begin_, count);
      begin_ += count;
      return count;
    }
    return file_->read(out.data(), out.size());
  }
};

class GzipSource final : public FileSource {
 public:
  GzipSource(std::unique_ptr<RawFile> file, std::vector<char> input, std::size_t filled)
      : FileSource(std::move(file), std::move(input), filled),
        state_(std::make_unique<inflate_state>()) {
    start_member();
  }

  [[nodiscard]] Result<std::size_t> read(std::span<char> out) override {
    state_->next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_->avail_out = static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), UINT32_MAX));
    const std::uint32_t wanted = state_->avail_out;
    if (damage_) return failure(*damage_);
    while (state_->avail_out == wanted) {
      if (begin_ == end_) {
        auto got = refill();
        if (!got) return failure(got.error());
        if (*got == 0) {
          if (state_->block_state == ISAL_BLOCK_FINISH) return 0;
          if (!flush()) return cut("gzip");
          break;
        }
      }
      if (state_->block_state == ISAL_BLOCK_FINISH) {
        // Another member may follow; anything else after the end is padding that gzip ignores too.
        if (static_cast<unsigned char>(input_[begin_]) != 0x1f) return 0;
        start_member();
        state_->next_out = reinterpret_cast<std::uint8_t*>(out.data());
        state_->avail_out = wanted;
      }
      state_->next_in = reinterpret_cast<std::uint8_t*>(input_.data()) + begin_;
      state_->avail_in = static_cast<std::uint32_t>(end_ - begin_);
      const int status = isal_inflate(state_.get());
      begin_ = end_ - state_->avail_in;
      if (status < 0 || status > ISAL_END_INPUT) damage_ = damaged("gzip", reason(status)).value();
      if (damage_ && state_->avail_out == wanted) return failure(*damage_);
    }
    return static_cast<std::size_t>(wanted - state_->avail_out);
  }

 private:
  void start_member() {
    isal_inflate_init(state_.get());
    state_->crc_flag = ISAL_GZIP;
  }
  /// Gets out what ISA-L still holds although no input is left. False: nothing.
  [[nodiscard]] bool flush() {
    const std::uint32_t room = state_->avail_out;
    state_->avail_in = 0;
    return isal_inflate(state_.get()) == ISAL_DECOMP_OK && state_->avail_out < room;
  }
  static std::string_view reason(int status) {
    switch (status) {
      case ISAL_INCORRECT_CHECKSUM:
        return "checksum mismatch";
      case ISAL_INVALID_WRAPPER:
        return "bad gzip header";
      case ISAL_UNSUPPORTED_METHOD:
        return "unknown compression method";
      default:
        return "invalid data";
    }
  }
  std::unique_ptr<inflate_state> state_;
};

class ZstdSource final : public FileSource {
 public:
  ZstdSource(std::unique_ptr<RawFile> file, std::vector<char> input, std::size_t filled)
      : FileSource(std::move(file), std::move(input), filled), stream_(ZSTD_createDStream()) {}
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

  [[nodiscard]] Result<std::size_t> read(std::span<char> out) override {
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    if (damage_) return failure(*damage_);
    while (output.pos == 0) {
      if (begin_ == end_) {
        auto got = refill();
        if (!got) return failure(got.error());
        if (*got == 0) {
          if (frame_done_) return 0;
          return cut("zstd");
        }
      }
      // One block at a time, as zstd asks for it: an error takes the output of its call with it.
      ZSTD_inBuffer input{input_.data(), std::min(end_, begin_ + wanted_), begin_};
      const std::size_t status = ZSTD_decompressStream(stream_, &output, &input);
      begin_ = input.pos;
      if (ZSTD_isError(status) != 0) {
        damage_ = damaged("zstd", ZSTD_getErrorName(status)).value();
        if (output.pos == 0) return failure(*damage_);
      }
      frame_done_ = status == 0;
      // zstd asks for a block and the header of the next one, which may be where the damage is.
      constexpr std::size_t kBlockHeader = 3;
      wanted_ = status > kBlockHeader ? status - kBlockHeader : std::max<std::size_t>(status, 1);
    }
    return output.pos;
  }

 private:
  ZSTD_DStream* stream_;
  std::size_t wanted_ = 1;  ///< bytes of input that the next block needs
  bool frame_done_ = false;
};

bool starts_with(const std::vector<char>& bytes, std::size_t filled,
                 std::initializer_list<unsigned char> magic) {
  if (filled < magic.size()) return false;
  std::size_t i = 0;
  for (const unsigned char byte : magic) {
    if (static_cast<unsigned char>(bytes[i++]) != byte) return false;
  }
  return true;
}

struct KindWords {
  std::string_view noun, if_empty;
};

/// By InputKind.
constexpr std::array<KindWords, 3> kKindWords = {
    {{"recording", "record again and let the profiler finish writing"},
     {"table", "a table has a header line and one line per row"},
     {"profile", "measure again"}}};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_byte_source(const std::string& path, InputKind kind) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return failure(ErrorKind::kIo, path, fmt::format("cannot be opened: {}", std::strerror(errno)),
                   errno == ENOENT ? "check the path" : "");
  }
  return open_byte_source(fd, path, kind);
}

Result<std::unique_ptr<ByteSource>> open_byte_source(int descriptor, std::string name,
                                                     InputKind kind) {
  const KindWords& words = kKindWords[static_cast<std::size_t>(kind)];
  struct stat info {};
  ::fstat(descriptor, &info);
  auto file = std::make_unique<RawFile>(descriptor, std::move(name),
                                        static_cast<std::uint64_t>(info.st_size));
  if (S_ISDIR(info.st_mode)) {
    return failure(ErrorKind::kIo, file->path(),
                   fmt::format("is a directory, not a {}", words.noun));
  }
  std::vector<char> input(kInputBytes);
  std::size_t filled = 0;
  while (filled < 4) {  // a pipe may hand over single bytes
    auto got = file->read(input.data() + filled, input.size() - filled);
    if (!got) return failure(got.error());
    if (*got == 0) break;
    filled += *got;
  }
  if (filled == 0) {
    return failure(ErrorKind::kSyntax, file->path(), "the file is empty",
                   std::string(words.if_empty));
  }
  if (starts_with(input, filled, {0x1f, 0x8b})) {
    return std::make_unique<GzipSource>(std::move(file), std::move(input), filled);
  }
  // zstd's own frame, or one that it skips: magic numbers 0x184d2a50 to 0x184d2a5f.
  const auto low = static_cast<unsigned char>(0x50 | (static_cast<unsigned char>(input[0]) & 0xf));
  const bool skippable_frame = starts_with(input, filled, {low, 0x2a, 0x4d, 0x18});
  if (skippable_frame || starts_with(input, filled, {0x28, 0xb5, 0x2f, 0xfd})) {
    return std::make_unique<ZstdSource>(std::move(file), std::move(input), filled);
  }
  return std::make_unique<PlainSource>(std::move(file), std::move(input), filled);
}

}  // namespace uplift::read
