#include "core/arena.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "core/huge_pages.h"
#include "core/sanitizers.h"

#ifdef DHYAN_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) (static_cast<void>(address), static_cast<void>(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) (static_cast<void>(address), static_cast<void>(bytes))
#endif

namespace dhyan {

namespace {

std::size_t round_up(std::size_t bytes, std::size_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

}  // namespace

void Arena::Free::operator()(std::byte* memory) const noexcept { std::free(memory); }

// Memory that is not handed out is poisoned, so that AddressSanitizer finds a handle that outlives its step.

Arena::Block Arena::new_block(std::size_t bytes) {
  const std::size_t size = round_up(std::max(bytes, kAlignment), kAlignment);
  void* memory = nullptr;
  if (posix_memalign(&memory, size >= kHugePage ? kHugePage : kAlignment, size) != 0) throw std::bad_alloc();
  use_huge_pages(memory, size);
  ASAN_POISON_MEMORY_REGION(memory, size);
  return {std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(memory)), size};
}

Arena::Arena(std::size_t first_block_bytes) { blocks_.push_back(new_block(first_block_bytes)); }

Arena::~Arena() { finalize(); }

void* Arena::allocate(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX) - kAlignment) throw std::bad_alloc();
  const std::size_t size = round_up(bytes, kAlignment);
  if (void* const memory = reuse(size)) {
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    return memory;
  }
  if (limit_ > 0 && used_bytes() + size > limit_) throw ArenaFull();
  if (blocks_[current_].bytes - used_ < size) open_block(size);
  void* memory = blocks_[current_].memory.get() + used_;
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
  used_ += size;
  return memory;
}

// Goes to the next block that is large enough. Each new block doubles the size, so there are few.
void Arena::open_block(std::size_t size) {
  std::size_t next = current_ + 1;
  while (next < blocks_.size() && blocks_[next].bytes < size) ++next;
  if (next == blocks_.size()) blocks_.push_back(new_block(std::max(size, 2 * blocks_.back().bytes)));
  current_ = next;
  used_in_full_blocks_ += std::exchange(used_, 0);
}

// Best fit. Small requests never reuse memory: they would split pieces that large requests need.
void* Arena::reuse(std::size_t size) {
  constexpr std::size_t kSmall = 1024;
  if (size <= kSmall) return nullptr;
  auto best = released_.end();
  for (auto piece = released_.begin(); piece != released_.end(); ++piece) {
    if (piece->bytes >= size && (best == released_.end() || piece->bytes < best->bytes)) best = piece;
  }
  if (best == released_.end()) return nullptr;
  std::byte* const memory = best->begin;
  if (best->bytes == size) {
    released_.erase(best);
  } else {
    *best = {best->begin + size, best->bytes - size};
  }
  return memory;
}

void Arena::release(void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  Piece piece{static_cast<std::byte*>(memory), round_up(bytes, kAlignment)};
  ASAN_POISON_MEMORY_REGION(piece.begin, piece.bytes);
  auto next = std::ranges::lower_bound(released_, piece.begin, {}, &Piece::begin);
  if (next != released_.begin() && std::prev(next)->end() == piece.begin) {
    --next;
    piece = {next->begin, next->bytes + piece.bytes};
    next = released_.erase(next);
  }
  if (next != released_.end() && piece.end() == next->begin) {
    *next = {piece.begin, piece.bytes + next->bytes};
  } else {
    released_.insert(next, piece);
  }
}

void Arena::reset() {
  finalize();
  released_.clear();
  peak_ = std::max(peak_, used_bytes());
  current_ = 0;
  used_ = 0;
  used_in_full_blocks_ = 0;
  // Keep the blocks until the last one alone is large enough: the kernel clears memory that is freed and mapped again.
  if (blocks_.back().bytes >= peak_) blocks_.erase(blocks_.begin(), blocks_.end() - 1);
  for (const Block& block : blocks_) ASAN_POISON_MEMORY_REGION(block.memory.get(), block.bytes);
}

std::size_t Arena::peak_bytes() const { return std::max(peak_, used_bytes()); }

std::size_t Arena::capacity_bytes() const {
  std::size_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.bytes;
  return bytes;
}

void Arena::finalize() noexcept {
  for (Finalizer* finalizer = finalizers_; finalizer != nullptr; finalizer = finalizer->next) {
    finalizer->destroy(finalizer->object);
  }
  finalizers_ = nullptr;
}

}  // namespace dhyan
