#include "core/spare_arena.h"

#include <vector>

namespace dhyan {

namespace {

constexpr std::size_t kMaxSpare = 8;  // per thread

std::vector<std::unique_ptr<Arena>>& spare() {
  thread_local std::vector<std::unique_ptr<Arena>> arenas;
  return arenas;
}

}  // namespace

SpareArena::SpareArena() {
  if (spare().empty()) {
    spare().reserve(kMaxSpare);
    arena_ = std::make_unique<Arena>();
  } else {
    arena_ = std::move(spare().back());
    spare().pop_back();
  }
}

SpareArena::~SpareArena() {
  if (arena_ == nullptr || spare().size() >= spare().capacity()) return;
  arena_->reset();
  spare().push_back(std::move(arena_));
}

}  // namespace dhyan
