// SPDX-License-Identifier: Apache-2.0
// Opens what the path names and hands it to the reader of its format.
#include "uplift/read/load_workload.hpp"

#include "uplift/read/byte_source.hpp"
#include "uplift/read/trace/kineto_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <thread>
#include <vector>

namespace uplift::read {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000;

/// The names under which profilers write traces; used only to look through a directory.
bool looks_like_recording(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".json") || name.ends_with(".json.gz") || name.ends_with(".json.zst");
}

[[nodiscard]] Result<std::string> only_recording_in(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> found;
  std::size_t seen = 0;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++seen > kMostFiles) break;
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && looks_like_recording(entry->path())) {
      found.push_back(entry->path().string());
    }
  }
  if (error) {
    return failure(ErrorKind::kIo, directory, fmt::format("cannot be listed: {}", error.message()));
  }
  if (found.empty()) {
    return failure(ErrorKind::kUnsupported, directory,
                   fmt::format("no recording among {} file{} (.json, .json.gz, .json.zst)", seen,
                               seen == 1 ? "" : "s"),
                   "give a profiler trace, or the directory that holds it");
  }
  if (found.size() > 1) {
    std::sort(found.begin(), found.end());
    return failure(ErrorKind::kUnsupported, directory,
                   fmt::format("holds {} recordings", found.size()),
                   fmt::format("give one of them, such as {}", found.front()));
  }
  return found.front();
}

/// Tells how far the reading has come after each piece.
class WatchedSource final : public ByteSource {
 public:
  WatchedSource(ByteSource& source, const ReadProgress& progress)
      : source_(source), progress_(progress) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> out) override {
    if (progress_) progress_(source_.file_position(), source_.file_size());
    return source_.read(out);
  }
  [[nodiscard]] std::uint64_t file_position() const override { return source_.file_position(); }
  [[nodiscard]] std::uint64_t file_size() const override { return source_.file_size(); }

 private:
  ByteSource& source_;
  const ReadProgress& progress_;
};

}  // namespace

Result<Workload> load_workload(const std::string& path, const ReadProgress& progress) {
  std::string file = path;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    auto only = only_recording_in(path);
    if (!only) return failure(only.error());
    file = *only;
  }
  auto source = open_byte_source(file);
  if (!source) return failure(source.error());
  // More do not help: one thread reads, inflates and cuts for all of them.
  constexpr unsigned kMostThreads = 4;
  const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
  WatchedSource watched(**source, progress);
  try {
    return read_kineto(watched, file, threads);
  } catch (const std::bad_alloc&) {
    return failure(ErrorKind::kIo, file, "does not fit into memory",
                   "record fewer steps, or use a machine with more memory");
  }
}

}  // namespace uplift::read
