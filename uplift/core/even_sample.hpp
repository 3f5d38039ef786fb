// SPDX-License-Identifier: Apache-2.0
// A bounded sample, evenly spread over a sequence whose length is not known beforehand: every n-th
// item, with n doubled whenever there are too many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace uplift {

template <class T>
class EvenSample {
 public:
  explicit EvenSample(std::size_t most) : most_(most) {}

  /// Whether the next item of the sequence is wanted; asked once per item, in order.
  [[nodiscard]] bool wants_next() { return seen_++ % stride_ == 0; }
  /// The item that was wanted.
  void add(T item) {
    if (items_.size() == most_) thin();
    if ((seen_ - 1) % stride_ == 0) items_.push_back(std::move(item));
  }
  [[nodiscard]] std::span<const T> items() const { return items_; }

 private:
  void thin() {
    for (std::size_t i = 0; 2 * i < items_.size(); ++i) items_[i] = std::move(items_[2 * i]);
    items_.resize((items_.size() + 1) / 2);
    stride_ *= 2;
  }

  std::size_t most_;
  std::uint64_t seen_ = 0;
  std::uint64_t stride_ = 1;
  std::vector<T> items_;
};

}  // namespace uplift
