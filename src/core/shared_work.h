#pragma once

#include <atomic>
#include <exception>

#include "core/real.h"

namespace dhyan {

// Waits, moment by moment, for what another thread is about to do: awake, but giving way to whoever else wants the
// processor.
class ShortWait {
 public:
  void moment();

 private:
  unsigned moments_ = 0;
};

// Work cut into numbered parts that its owner does together with whoever comes by. To share and to end takes less than
// a microsecond where others are awake: no lock, no call of the operating system, no memory.
class SharedWork {
 public:
  using Call = void (*)(const void* task, Index part);

  SharedWork() = default;
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  // By its owner: open to others, then until no part is left and what others have taken is done. What a part threw is
  // thrown here, after all others were done.
  void open(Index parts, Call call, const void* task);
  void finish();

  // By others, at any time: does parts while there are some. False if there were none.
  bool help();

 private:
  bool take_parts();

  static constexpr unsigned kOpen = 1U << 31;
  alignas(64) std::atomic<unsigned> inside_ = 0;  // intra_op at it; and whether more may come
  std::atomic<Index> next_ = 0;
  Index parts_ = 0;
  Call call_ = nullptr;
  const void* task_ = nullptr;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;  // of the part that failed first
};

}  // namespace dhyan
