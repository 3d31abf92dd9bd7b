#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/shared_work.h"

namespace dhyan {

class ThreadPool;

// The threads of a pool that have no task, as a task sees them: they take parts of its work. Once asked they stay awake
// for a while, since work comes in many small pieces.
class IntraOpThreads {
 public:
  explicit IntraOpThreads(ThreadPool& pool) : pool_(pool) {}

  int idle() const;  // how many may come, now

  // Calls part(i) for i in [0, parts), on this thread and on those that come; returns when all are done. What a part
  // throws is thrown here. A part must not share. Never allocates.
  template <class Part>
  void parallel_for(Index parts, const Part& part) {
    parallel_for_erased(
        parts, [](const void* p, Index i) { (*static_cast<const Part*>(p))(i); }, &part);
  }

 private:
  friend class ThreadPool;
  void parallel_for_erased(Index parts, SharedWork::Call call, const void* part);

  ThreadPool& pool_;
  SharedWork work_;
};

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

  // For the task that runs on this worker, until it ends.
  IntraOpThreads& intra_op(int worker) { return intra_op_[static_cast<std::size_t>(worker)]; }

  // Calls task(i, worker) for i in [0, tasks), started in order; returns when all are done. worker in [0, size()).
  // After a task throws no further one is started, and the exception of the lowest-numbered failed task is thrown
  // here. One run at a time: tasks must not call run() of their own pool. Never allocates.
  template <class Task>
  void run(Index tasks, const Task& task) {
    run_erased(
        tasks, [](const void* t, Index i, int worker) { (*static_cast<const Task*>(t))(i, worker); }, &task);
  }

 private:
  friend class IntraOpThreads;
  using Call = void (*)(const void* task, Index i, int worker);

  void run_erased(Index tasks, Call call, const void* task);
  void work(int worker);
  void wait_for_task(std::unique_lock<std::mutex>& lock);
  bool has_task() const { return call_ != nullptr && next_ < tasks_; }
  void help_while_needed(unsigned seen);
  void call_for_help();
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
  bool help_wanted_ = false;
  std::atomic<unsigned> changes_ = 0;    // of what there is to do: whoever helps looks up
  std::atomic<int> idle_ = 0;            // threads without a task
  std::atomic<int> asleep_ = 0;          // those of them that must be woken
  std::deque<IntraOpThreads> intra_op_;  // of each worker
  std::function<void()> on_start_;
  std::vector<std::thread> threads_;
};

}  // namespace dhyan
