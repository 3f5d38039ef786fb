// SPDX-License-Identifier: Apache-2.0
// A long list of records of which neighbours differ little, packed to a few bytes each: recordings
// hold millions of operators and calls, and all but the distinct ones are only counted. Append,
// then read once from the front.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace uplift::read {

/// Numbers of one record on their way to bytes and back: 7 bits per byte, small magnitudes short.
class PackedBytes {
 public:
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_[size_++] = static_cast<std::uint8_t>(value | 0x80);
    bytes_[size_++] = static_cast<std::uint8_t>(value);
  }
  /// `value - before`, whatever the sign; no difference of two 64-bit numbers is out of range.
  void put_change(std::int64_t value, std::int64_t before) {
    const std::uint64_t change =
        static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(before);
    put((change << 1) ^ (change >> 63 != 0 ? ~std::uint64_t{0} : 0));
  }
  [[nodiscard]] const std::uint8_t* begin() const { return bytes_.data(); }
  [[nodiscard]] const std::uint8_t* end() const { return bytes_.data() + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::array<std::uint8_t, 80> bytes_;  // eight numbers of ten bytes
  std::size_t size_ = 0;
};

class PackedReader {
 public:
  explicit PackedReader(const std::uint8_t* at) : at_(at) {}
  [[nodiscard]] std::uint64_t get() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint8_t byte = *at_++;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  [[nodiscard]] std::int64_t get_change(std::int64_t before) {
    const std::uint64_t coded = get();
    const std::uint64_t change = (coded >> 1) ^ ((coded & 1) != 0 ? ~std::uint64_t{0} : 0);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(before) + change);
  }
  [[nodiscard]] const std::uint8_t* at() const { return at_; }

 private:
  const std::uint8_t* at_;
};

/// Record has `void pack(PackedBytes&, const Record& before) const`, `void unpack(PackedReader&,
/// const Record& before)` and `operator<`, the order in which it is wanted.
template <class Record>
class RecordLog {
 public:
  void append(const Record& record) {
    PackedBytes packed;
    record.pack(packed, last_);
    if (blocks_.empty() || blocks_.back().size() + packed.size() > kBlockBytes) {
      if (!blocks_.empty())
        blocks_.emplace_back().reserve(kBlockBytes);
      else
        blocks_.emplace_back();  // most threads and streams never fill a block
    }
    blocks_.back().insert(blocks_.back().end(), packed.begin(), packed.end());
    if (size_ > 0 && record < last_) sorted_ = false;
    last_ = record;
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Reads in the order of `operator<`, equal ones in the order of appending; unpacks everything
  /// first only where records came out of order.
  class Cursor {
   public:
    explicit Cursor(const RecordLog& log) : log_(log) {
      if (log.sorted_) return;
      order_.reserve(log.size_);
      Record record;
      while (read(record)) order_.push_back(record);
      std::stable_sort(order_.begin(), order_.end());
      next_ = 0;
    }
    /// The next record, or nullopt at the end.
    [[nodiscard]] std::optional<Record> next() {
      if (log_.sorted_) {
        if (!read(record_)) return std::nullopt;
        return record_;
      }
      if (next_ == order_.size()) return std::nullopt;
      return order_[next_++];
    }

   private:
    [[nodiscard]] bool read(Record& record) {
      while (block_ < log_.blocks_.size() && at_ == log_.blocks_[block_].size()) {
        ++block_;
        at_ = 0;
      }
      if (block_ == log_.blocks_.size()) return false;
      const std::uint8_t* const begin = log_.blocks_[block_].data();
      PackedReader reader(begin + at_);
      const Record before = record;
      record.unpack(reader, before);
      at_ = static_cast<std::size_t>(reader.at() - begin);
      return true;
    }

    const RecordLog& log_;
    std::size_t block_ = 0;
    std::size_t at_ = 0;
    Record record_;
    std::vector<Record> order_;
    std::size_t next_ = 0;
  };
  [[nodiscard]] Cursor read() const { return Cursor(*this); }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
  std::vector<std::vector<std::uint8_t>> blocks_;
  Record last_;
  std::size_t size_ = 0;
  bool sorted_ = true;
};

}  // namespace uplift::read
