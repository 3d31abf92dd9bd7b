#include "core/shared_work.h"

#include <thread>
#include <utility>

namespace dhyan {

namespace {

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

void ShortWait::moment() {
  constexpr unsigned kPauses = 64;  // about two microseconds
  if (++moments_ % kPauses == 0) {
    std::this_thread::yield();
  } else {
    pause_briefly();
  }
}

void SharedWork::open(Index parts, Call call, const void* task) {
  parts_ = parts;
  call_ = call;
  task_ = task;
  next_.store(0, std::memory_order_relaxed);
  inside_.fetch_or(kOpen, std::memory_order_release);
}

void SharedWork::finish() {
  take_parts();
  inside_.fetch_and(~kOpen, std::memory_order_relaxed);
  for (ShortWait wait; inside_.load(std::memory_order_acquire) != 0;) wait.moment();
  if (failed_.exchange(false, std::memory_order_relaxed)) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// Who came too late reads nothing: the owner may be about to share other work.
bool SharedWork::help() {
  if ((inside_.load(std::memory_order_relaxed) & kOpen) == 0) return false;
  const bool open = (inside_.fetch_add(1, std::memory_order_acquire) & kOpen) != 0;
  const bool helped = open && take_parts();
  inside_.fetch_sub(1, std::memory_order_release);
  return helped;
}

bool SharedWork::take_parts() {
  bool took = false;
  for (Index part; (part = next_.fetch_add(1, std::memory_order_relaxed)) < parts_; took = true) {
    try {
      call_(task_, part);
    } catch (...) {
      if (!failed_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
    }
  }
  return took;
}

}  // namespace dhyan
