#include "core/shared_work.h"

#include <thread>
#include <utility>

namespace dhyan {

namespace {

void cpu_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void SpinWait::spin() {
  constexpr unsigned kPauses = 64;  // about two microseconds
  if (++spins_ % kPauses == 0) {
    std::this_thread::yield();
  } else {
    cpu_pause();
  }
}

void SharedWork::open(Index parts, FunctionRef<void(Index part)> task) {
  parts_ = parts;
  task_ = task;
  next_.store(0, std::memory_order_relaxed);
  users_.fetch_or(kOpen, std::memory_order_release);
}

void SharedWork::finish() {
  take_parts();
  users_.fetch_and(~kOpen, std::memory_order_relaxed);
  for (SpinWait wait; users_.load(std::memory_order_acquire) != 0;) wait.spin();
  if (failed_.exchange(false, std::memory_order_relaxed)) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// A thread that arrives after the owner has closed the loop must not read its fields: the owner may be opening the
// next.
bool SharedWork::help() {
  if ((users_.load(std::memory_order_relaxed) & kOpen) == 0) return false;
  const bool open = (users_.fetch_add(1, std::memory_order_acquire) & kOpen) != 0;
  const bool helped = open && take_parts();
  users_.fetch_sub(1, std::memory_order_release);
  return helped;
}

bool SharedWork::take_parts() {
  bool took = false;
  for (Index part; (part = next_.fetch_add(1, std::memory_order_relaxed)) < parts_; took = true) {
    try {
      task_(part);
    } catch (...) {
      if (!failed_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
    }
  }
  return took;
}

}  // namespace dhyan
