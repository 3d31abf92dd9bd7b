#include "core/thread_pool.h"

#include <utility>

#include "core/error.h"

namespace dhyan {

ThreadPool::ThreadPool(int threads, std::function<void()> on_start) : on_start_(std::move(on_start)) {
  if (threads < 1) throw ConfigError(cat("ThreadPool: ", threads, " threads, expected at least 1"));
  threads_.reserve(static_cast<std::size_t>(threads));
  try {
    for (int worker = 0; worker < threads; ++worker) threads_.emplace_back([this, worker] { work(worker); });
  } catch (...) {
    stop();
    throw;
  }
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return started_ == threads; });
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run_erased(Index tasks, Call call, const void* task) {
  if (tasks <= 0) return;
  std::unique_lock lock(mutex_);
  if (call_ != nullptr) throw UsageError("ThreadPool::run: called while another run is under way");
  call_ = call;
  task_ = task;
  tasks_ = tasks;
  next_ = 0;
  wake_.notify_all();
  done_.wait(lock, [this] { return next_ >= tasks_ && running_ == 0; });
  call_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work(int worker) {
  if (on_start_) on_start_();
  std::unique_lock lock(mutex_);
  ++started_;
  done_.notify_all();
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || (call_ != nullptr && next_ < tasks_); });
    if (stopping_) return;
    const Index i = next_++;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      call_(task_, i, worker);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --running_;
    if (failure) {
      if (!failure_ || i < failed_task_) {
        failure_ = failure;
        failed_task_ = i;
      }
      next_ = tasks_;
    }
    if (next_ >= tasks_ && running_ == 0) done_.notify_all();
  }
}

}  // namespace dhyan
