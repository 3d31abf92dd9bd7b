#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace dhyan {

// An allocation would exceed the arena's limit.
class ArenaFull : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "a step needs more memory than its limit"; }
};

// Bump allocator for the memory of one step; reset() frees all of it. Memory that is released earlier is reused. Blocks
// stay until one is large enough for a whole step: from then on steps of that size never call malloc.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;  // one cache line, one AVX-512 register

  explicit Arena(std::size_t first_block_bytes = std::size_t{1} << 20);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Uninitialised, aligned to kAlignment, valid until reset().
  void* allocate(std::size_t bytes);

  // Makes memory of allocate(bytes) available for reuse.
  void release(void* memory, std::size_t bytes);

  // An object that lives until reset(), which runs its destructor unless it is trivial.
  template <class T, class... Args>
  T& make(Args&&... args) {
    static_assert(alignof(T) <= kAlignment);
    if constexpr (std::is_trivially_destructible_v<T>) {
      return *new (allocate(sizeof(T))) T(std::forward<Args>(args)...);
    } else {
      void* finalizer = allocate(sizeof(Finalizer));  // first: if this throws, there is no object to destroy
      T* object = new (allocate(sizeof(T))) T(std::forward<Args>(args)...);
      finalizers_ =
          new (finalizer) Finalizer{[](void* dying) noexcept { static_cast<T*>(dying)->~T(); }, object, finalizers_};
      return *object;
    }
  }

  // The same, but the destructor never runs: for types whose destructor has nothing to do although it is not trivial.
  template <class T>
  T& make_without_destructor() {
    static_assert(alignof(T) <= kAlignment);
    return *new (allocate(sizeof(T))) T;
  }

  // allocate() throws ArenaFull rather than let used_bytes() exceed this; 0: no limit.
  void set_limit(std::size_t bytes) { limit_ = bytes; }

  // Frees everything allocated so far.
  void reset();

  // Includes released memory that was not reused.
  std::size_t used_bytes() const { return used_in_full_blocks_ + used_; }
  std::size_t peak_bytes() const;
  std::size_t capacity_bytes() const;

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept;
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t bytes = 0;
  };
  struct Piece {
    std::byte* begin;
    std::size_t bytes;
    std::byte* end() const { return begin + bytes; }
  };
  struct Finalizer {
    void (*destroy)(void*) noexcept;
    void* object;
    Finalizer* next;
  };

  void* reuse(std::size_t size);  // null: no released piece is large enough
  void open_block(std::size_t size);
  void finalize() noexcept;
  static Block new_block(std::size_t bytes);

  std::vector<Block> blocks_;    // never empty
  std::size_t current_ = 0;      // index of the block that is being filled
  std::vector<Piece> released_;  // sorted by address; no two are adjacent
  std::size_t used_ = 0;         // of the current block
  std::size_t used_in_full_blocks_ = 0;
  std::size_t peak_ = 0;
  std::size_t limit_ = 0;
  Finalizer* finalizers_ = nullptr;
};

}  // namespace dhyan
