#pragma once

#include <memory>

#include "core/arena.h"

namespace dhyan {

// An arena that another owner on this thread has dropped, memory and all, or a new one if there is none. What comes and
// goes with every batch does not ask the operating system for the same memory again and again.
class SpareArena {
 public:
  SpareArena();
  ~SpareArena();
  SpareArena(SpareArena&&) = default;
  SpareArena& operator=(SpareArena&& other) noexcept {
    arena_.swap(other.arena_);
    return *this;
  }

  Arena& operator*() const { return *arena_; }

 private:
  std::unique_ptr<Arena> arena_;
};

}  // namespace dhyan
