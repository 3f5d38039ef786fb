// SPDX-License-Identifier: Apache-2.0
// Parses runs of trace text on several threads and hands the batches on one at a time, in the order
// of the file, so that the outcome does not depend on how many threads there are.
#pragma once

#include "uplift/read/trace/event_batch.hpp"
#include "uplift/read/trace/event_parser.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace uplift::read {

class BatchPipeline {
 public:
  /// `threads` counts the calling thread, which parses too when the others are busy. `take` is
  /// called for one batch at a time, on any thread.
  BatchPipeline(unsigned threads, std::function<void(const EventBatch&)> take);
  ~BatchPipeline();
  BatchPipeline(const BatchPipeline&) = delete;
  BatchPipeline& operator=(const BatchPipeline&) = delete;

  void add(EventRun run);
  /// Waits until every batch is taken. Throws what a thread threw (no memory).
  void finish();
  /// A buffer that is no longer needed, or an empty one.
  [[nodiscard]] TextBuffer spare();

 private:
  struct Job {
    std::uint64_t number = 0;
    EventRun run;
  };
  using Batch = std::unique_ptr<EventBatch>;

  void work();
  void parse(EventParser& parser, Job job);
  void deliver(std::uint64_t number, Batch batch);
  [[nodiscard]] Batch free_batch();

  std::function<void(const EventBatch&)> take_;
  EventParser own_parser_;

  std::mutex queue_mutex_;  // guards these five
  std::condition_variable queue_changed_;
  std::deque<Job> queue_;
  std::size_t busy_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;

  std::atomic<std::uint64_t> next_ = 0;  // number of the batch to be taken next
  std::mutex order_mutex_;               // guards these four
  bool taking_ = false;                  // a thread is at it
  std::map<std::uint64_t, Batch> waiting_;
  std::vector<Batch> free_batches_;
  std::vector<TextBuffer> free_buffers_;

  std::uint64_t added_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace uplift::read
