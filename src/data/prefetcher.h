#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace dhyan {

// Makes items on its own thread, up to `ahead` before they are taken. take() rethrows an exception of the maker. The
// destructor stops the thread: a slow maker checks its stop token and returns an unspecified item.
template <class T>
class Prefetcher {
 public:
  Prefetcher(std::function<T(const std::stop_token&)> make, std::size_t ahead)
      : make_(std::move(make)), ahead_(ahead), thread_([this](const std::stop_token& stop) { work(stop); }) {}

  // The next item, in order. After a failure every call throws it.
  T take() {
    std::unique_lock lock(mutex_);
    if (made_.empty() && !failure_) {
      const auto begin = std::chrono::steady_clock::now();
      changed_.wait(lock, [this] { return !made_.empty() || failure_; });
      seconds_waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    if (made_.empty()) std::rethrow_exception(failure_);
    T first = std::move(made_.front());
    made_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return first;
  }

  // Seconds that take() has waited.
  double seconds_waited() const {
    const std::lock_guard lock(mutex_);
    return seconds_waited_;
  }

 private:
  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    // Waits for room before making an item, so that at most `ahead` exist.
    while (changed_.wait(lock, stop, [this] { return made_.size() < ahead_; }) && !stop.stop_requested()) {
      lock.unlock();
      try {
        T next = make_(stop);
        lock.lock();
        made_.push_back(std::move(next));
      } catch (...) {
        if (!lock.owns_lock()) lock.lock();
        failure_ = std::current_exception();
        changed_.notify_all();
        return;
      }
      changed_.notify_all();
    }
  }

  std::function<T(const std::stop_token&)> make_;
  std::size_t ahead_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<T> made_;
  std::exception_ptr failure_;
  double seconds_waited_ = 0;
  std::jthread thread_;  // last: uses all members above
};

}  // namespace dhyan
