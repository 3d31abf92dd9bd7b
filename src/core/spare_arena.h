#pragma once

#include <memory>

#include "core/arena.h"

namespace dhyan {

// An arena from a free list of the calling thread, with its memory, or a new one if the list is empty. Objects that
// live for one batch thus reuse memory instead of allocating it for every batch.
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
