#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dhyan::server {

// Threads that run short tasks: they read requests and write answers, so that neither the I/O thread nor the threads
// that translate wait for JSON. There are several, so that a large request does not hold up the small ones behind it.
class TaskThreads {
 public:
  explicit TaskThreads(int threads);  // 0: post() runs the task
  ~TaskThreads();                     // runs the tasks that were posted before

  void post(std::function<void()> task);  // from any thread; the task must not throw

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace dhyan::server
