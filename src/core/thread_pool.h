#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/function_ref.h"
#include "core/shared_work.h"

namespace dhyan {

class ThreadPool;

// The idle threads of a pool, for parallel loops inside one task. A woken worker spins for 0.3 ms before it sleeps
// again, since a task runs many short loops.
class IntraOpThreads {
 public:
  explicit IntraOpThreads(ThreadPool& pool) : pool_(pool) {}

  int idle() const;  // threads without a task, at this moment

  // Calls part(i) for i in [0, parts), on this thread and on idle ones; returns when all are done. Rethrows the
  // exception of a part. A part must not call parallel_for itself. Never allocates.
  void parallel_for(Index parts, FunctionRef<void(Index i)> part);

 private:
  friend class ThreadPool;

  ThreadPool& pool_;
  SharedWork work_;
};

// A fixed number of threads that take numbered tasks. Any thread may take any task: for the same result with any number
// of threads, let it depend on the task's number alone.
class ThreadPool {
 public:
  // Returns after `on_start` has run on each thread (floating-point mode, thread-local memory).
  explicit ThreadPool(int threads, std::function<void()> on_start = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }

  // For use by the task that runs on this worker.
  IntraOpThreads& intra_op(int worker) { return intra_op_[static_cast<std::size_t>(worker)]; }

  // Calls task(i, worker) for i in [0, tasks), started in order; returns when all are done. worker in [0, size()).
  // After a task throws, no further task starts, and run() rethrows the exception of the lowest-numbered failed task.
  // One run at a time: tasks must not call run() of their own pool. Never allocates.
  void run(Index tasks, FunctionRef<void(Index i, int worker)> task);

 private:
  friend class IntraOpThreads;

  void work(int worker);
  void wait_for_task(std::unique_lock<std::mutex>& lock);
  bool has_task() const { return task_ && next_ < tasks_; }
  void spin_for_parts(unsigned seen);
  void wake_workers();
  void stop() noexcept;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  FunctionRef<void(Index i, int worker)> task_;  // of the run under way
  Index tasks_ = 0;
  Index next_ = 0;
  Index running_ = 0;
  int started_ = 0;
  Index failed_task_ = 0;
  std::exception_ptr failure_;
  bool stopping_ = false;
  bool parts_shared_ = false;
  std::atomic<unsigned> generation_ = 0;  // changes with every run: spinning workers stop and look for tasks
  std::atomic<int> idle_ = 0;             // threads without a task
  std::atomic<int> asleep_ = 0;           // idle threads that wait on wake_
  std::deque<IntraOpThreads> intra_op_;   // of each worker
  std::function<void()> on_start_;
  std::vector<std::thread> threads_;
};

}  // namespace dhyan
