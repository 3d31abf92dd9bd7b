#pragma once

#include <atomic>
#include <exception>

#include "core/function_ref.h"
#include "core/real.h"

namespace dhyan {

// A spin wait: pause instructions, and now and then a yield, so that other threads can run on this core.
class SpinWait {
 public:
  void spin();

 private:
  unsigned spins_ = 0;
};

// A parallel loop that its owner runs together with any threads that call help(). Starting and ending it takes less
// than a microsecond if the other threads are awake: no lock, no system call, no allocation.
class SharedWork {
 public:
  SharedWork() = default;
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  // The owner calls open(), which lets other threads in, and then finish(), which runs parts until none is left and
  // waits for those that other threads run. finish() rethrows the first exception of a part after all parts have run.
  void open(Index parts, FunctionRef<void(Index part)> task);
  void finish();

  // Other threads may call it at any time. Runs parts while there are some; false if there were none.
  bool help();

 private:
  bool take_parts();

  static constexpr unsigned kOpen = 1U << 31;
  alignas(64) std::atomic<unsigned> users_ = 0;  // threads that run parts; kOpen: more may enter
  std::atomic<Index> next_ = 0;
  Index parts_ = 0;
  FunctionRef<void(Index part)> task_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;  // of the first part that threw
};

}  // namespace dhyan
