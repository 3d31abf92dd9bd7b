#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/real.h"

namespace dhyan {

// A fixed number of threads that share out numbered tasks. Which thread takes which task is not fixed; whoever needs
// the same result on any number of threads must let it depend on the task alone.
class ThreadPool {
 public:
  // `on_start` has run once on each thread when the pool is there (floating-point mode, memory of its own).
  explicit ThreadPool(int threads, std::function<void()> on_start = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }

  // Calls task(i, worker) for i in [0, tasks), started in order; returns when all are done. worker in [0, size()).
  // After a task throws no further one is started, and the exception of the lowest-numbered failed task is thrown
  // here. One run at a time: tasks must not call run() of their own pool. Never allocates.
  template <class Task>
  void run(Index tasks, const Task& task) {
    run_erased(
        tasks, [](const void* t, Index i, int worker) { (*static_cast<const Task*>(t))(i, worker); }, &task);
  }

 private:
  using Call = void (*)(const void* task, Index i, int worker);

  void run_erased(Index tasks, Call call, const void* task);
  void work(int worker);
  void stop() noexcept;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  Call call_ = nullptr;
  const void* task_ = nullptr;
  Index tasks_ = 0;
  Index next_ = 0;
  Index running_ = 0;
  int started_ = 0;
  Index failed_task_ = 0;
  std::exception_ptr failure_;
  bool stopping_ = false;
  std::function<void()> on_start_;
  std::vector<std::thread> threads_;
};

}  // namespace dhyan
