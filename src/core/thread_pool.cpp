#include "core/thread_pool.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace dhyan {

ThreadPool::ThreadPool(int threads, std::function<void()> on_start) : on_start_(std::move(on_start)) {
  if (threads < 1) throw ConfigError(cat("ThreadPool: ", threads, " threads, expected at least 1"));
  for (int worker = 0; worker < threads; ++worker) intra_op_.emplace_back(*this);
  threads_.reserve(static_cast<std::size_t>(threads));
  try {
    for (int worker = 0; worker < threads; ++worker) threads_.emplace_back([this, worker] { work(worker); });
  } catch (const std::system_error& error) {
    const std::size_t started = threads_.size();
    stop();
    throw Error(cat("threads: the system starts no more than ", started, " of ", threads,
                    " threads: ", error.code().message(), "; ask for fewer (--threads)"));
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
    ++generation_;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(Index tasks, FunctionRef<void(Index i, int worker)> task) {
  if (tasks <= 0) return;
  std::unique_lock lock(mutex_);
  if (task_) throw UsageError("ThreadPool::run: called while another run is under way");
  task_ = task;
  tasks_ = tasks;
  next_ = 0;
  ++generation_;
  wake_.notify_all();
  done_.wait(lock, [this] { return next_ >= tasks_ && running_ == 0; });
  task_ = {};
  parts_shared_ = false;
  ++generation_;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work(int worker) {
  if (on_start_) on_start_();
  std::unique_lock lock(mutex_);
  ++started_;
  done_.notify_all();
  while (true) {
    wait_for_task(lock);
    if (stopping_) return;
    const Index i = next_++;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      task_(i, worker);
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

void ThreadPool::wait_for_task(std::unique_lock<std::mutex>& lock) {
  ++idle_;
  while (!stopping_ && !has_task()) {
    if (parts_shared_) {
      const unsigned seen = generation_;
      lock.unlock();
      spin_for_parts(seen);
      lock.lock();
      parts_shared_ = false;
    } else {
      ++asleep_;
      wake_.wait(lock);
      --asleep_;
    }
  }
  --idle_;
}

// Runs parts of other workers' loops until there is a new task, or until no part has come for kSpinTime, which is
// longer than a decoding step spends between two GEMMs.
void ThreadPool::spin_for_parts(unsigned seen) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kSpinTime{300};
  SpinWait wait;
  for (Clock::time_point last = Clock::now(); generation_.load(std::memory_order_relaxed) == seen; wait.spin()) {
    bool took_parts = false;
    for (IntraOpThreads& one : intra_op_) took_parts |= one.work_.help();
    const Clock::time_point now = Clock::now();
    if (took_parts) last = now;
    if (now - last > kSpinTime) return;
  }
}

void ThreadPool::wake_workers() {
  const std::lock_guard lock(mutex_);
  parts_shared_ = true;
  wake_.notify_all();
}

int IntraOpThreads::idle() const { return pool_.idle_.load(std::memory_order_relaxed); }

void IntraOpThreads::parallel_for(Index parts, FunctionRef<void(Index i)> part) {
  work_.open(parts, part);
  if (pool_.asleep_.load(std::memory_order_relaxed) > 0) pool_.wake_workers();
  work_.finish();
}

}  // namespace dhyan
