#include "text/run_polled.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace dhyan {

namespace {

// Abandoned threads. A thread must not outlive the static objects of the libraries it uses, so these threads are joined
// when the program ends. The list must be global for that, and is never destroyed.
struct AbandonedThreads {
  std::mutex mutex;
  std::vector<std::thread> threads;

  static AbandonedThreads& all() {
    static AbandonedThreads& threads = *new AbandonedThreads;
    return threads;
  }
  static void join() {
    const std::lock_guard lock(all().mutex);
    for (std::thread& thread : all().threads) thread.join();
    all().threads.clear();
  }
};

void abandon(std::thread thread) {
  const std::lock_guard lock(AbandonedThreads::all().mutex);
  AbandonedThreads::all().threads.push_back(std::move(thread));
  // Registered each time: the last registered function runs first, before the static objects of the thread are
  // destroyed.
  std::atexit(AbandonedThreads::join);
}

struct Completion {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failure;

  void set(std::exception_ptr error) {
    const std::lock_guard lock(mutex);
    failure = std::move(error);
    done = true;
    changed.notify_all();
  }

  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, time, [this] { return done; });
  }
};

}  // namespace

void run_polled(std::function<void()> work, const std::function<void()>& poll) {
  if (!poll) return work();
  constexpr std::chrono::milliseconds kBetweenPolls{50};
  const auto completion = std::make_shared<Completion>();
  std::thread thread([completion, work = std::move(work)] {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    completion->set(std::move(failure));
  });
  try {
    do {
      poll();
    } while (!completion->wait_for(kBetweenPolls));
  } catch (...) {
    abandon(std::move(thread));
    throw;
  }
  thread.join();
  if (completion->failure) std::rethrow_exception(completion->failure);
}

}  // namespace dhyan
