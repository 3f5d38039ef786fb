// SPDX-License-Identifier: Apache-2.0
// A queue of runs, the threads that take from it, and the place where batches wait for their turn.
#include "uplift/read/trace/batch_pipeline.hpp"

#include <system_error>
#include <utility>

namespace uplift::read {
namespace {

// Runs per thread: waiting for one of the others, and in all.
constexpr std::size_t kMostWaiting = 3;
constexpr std::uint64_t kMostInFlight = 6;

}  // namespace

BatchPipeline::BatchPipeline(unsigned threads, std::function<void(const EventBatch&)> take)
    : take_(std::move(take)) {
  try {
    for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // No more threads to be had: those there are do.
  }
}

BatchPipeline::~BatchPipeline() {
  {
    const std::lock_guard lock(queue_mutex_);
    closing_ = true;
    queue_.clear();
  }
  queue_changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void BatchPipeline::add(EventRun run) {
  Job job{added_++, std::move(run)};
  if (threads_.empty()) {
    parse(own_parser_, std::move(job));
    return;
  }
  // With a few runs waiting for each thread, this one lends a hand to the oldest. Batches that wait
  // for a slow one before them are bounded too.
  std::unique_lock lock(queue_mutex_);
  queue_changed_.wait(lock, [this] {
    return failure_ || busy_ == 0 || added_ - next_ <= kMostInFlight * (1 + threads_.size());
  });
  if (failure_) std::rethrow_exception(failure_);
  queue_.push_back(std::move(job));
  if (queue_.size() <= kMostWaiting * threads_.size()) {
    lock.unlock();
    queue_changed_.notify_one();
    return;
  }
  Job oldest = std::move(queue_.front());
  queue_.pop_front();
  lock.unlock();
  parse(own_parser_, std::move(oldest));
}

void BatchPipeline::finish() {
  std::unique_lock lock(queue_mutex_);
  while (!queue_.empty()) {
    Job job = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    parse(own_parser_, std::move(job));
    lock.lock();
  }
  queue_changed_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

TextBuffer BatchPipeline::spare() {
  const std::lock_guard lock(order_mutex_);
  if (free_buffers_.empty()) return {};
  TextBuffer buffer = std::move(free_buffers_.back());
  free_buffers_.pop_back();
  return buffer;
}

void BatchPipeline::work() {
  EventParser parser;
  std::unique_lock lock(queue_mutex_);
  for (;;) {
    queue_changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (closing_) return;
    Job job = std::move(queue_.front());
    queue_.pop_front();
    ++busy_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      parse(parser, std::move(job));
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --busy_;
    if (failure && !failure_) failure_ = failure;
    queue_changed_.notify_all();
  }
}

void BatchPipeline::parse(EventParser& parser, Job job) {
  Batch batch = free_batch();
  batch->reset(std::move(job.run));
  parser.parse(*batch);
  deliver(job.number, std::move(batch));
}

BatchPipeline::Batch BatchPipeline::free_batch() {
  const std::lock_guard lock(order_mutex_);
  if (free_batches_.empty()) return std::make_unique<EventBatch>();
  Batch batch = std::move(free_batches_.back());
  free_batches_.pop_back();
  return batch;
}

void BatchPipeline::deliver(std::uint64_t number, Batch batch) {
  std::unique_lock lock(order_mutex_);
  waiting_.emplace(number, std::move(batch));
  if (taking_) return;  // the thread that is at it goes on with this one
  taking_ = true;
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
       first = waiting_.begin()) {
    Batch next = std::move(first->second);
    waiting_.erase(first);
    lock.unlock();
    take_(*next);
    lock.lock();
    ++next_;
    free_buffers_.push_back(std::move(next->run().buffer));
    free_batches_.push_back(std::move(next));
  }
  taking_ = false;
}

}  // namespace uplift::read
