#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace dhyan {

// Thrown where an arena was told not to grow any further.
class ArenaFull : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "a step needs more memory than its limit"; }
};

// Memory of one step: bumped, and dropped together by reset(). What is released before is handed out again. Blocks stay
// until one is large enough for all: after the first step of a kind, a step calls malloc no more.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;  // one cache line, one AVX-512 register

  explicit Arena(std::size_t first_block_bytes = std::size_t{1} << 20);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Uninitialised, aligned to kAlignment, valid until reset().
  void* allocate(std::size_t bytes);

  // Memory of allocate(bytes) that nobody looks at any more.
  void release(void* memory, std::size_t bytes);

  // An object that lives until reset(), which runs its destructor if it has one worth running.
  template <class T, class... Args>
  T& make(Args&&... args) {
    static_assert(alignof(T) <= kAlignment);
    if constexpr (std::is_trivially_destructible_v<T>) {
      return *new (allocate(sizeof(T))) T(std::forward<Args>(args)...);
    } else {
      void* finalizer = allocate(sizeof(Finalizer));  // first: an object must not be there without its finalizer
      T* object = new (allocate(sizeof(T))) T(std::forward<Args>(args)...);
      finalizers_ =
          new (finalizer) Finalizer{[](void* dying) noexcept { static_cast<T*>(dying)->~T(); }, object, finalizers_};
      return *object;
    }
  }

  // The same for one whose destructor would have nothing to do, though its type does not say so: it is never run.
  template <class T>
  T& make_endless() {
    static_assert(alignof(T) <= kAlignment);
    return *new (allocate(sizeof(T))) T;
  }

  // From now on, what would make used_bytes() larger than this is refused with ArenaFull; 0: nothing is.
  void set_limit(std::size_t bytes) { limit_ = bytes; }

  // Everything allocated so far is gone.
  void reset();

  // What was released and not handed out again counts as used.
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

  void* reuse(std::size_t size);  // null: nothing that was released is as large
  void open_block(std::size_t size);
  void finalize() noexcept;
  static Block new_block(std::size_t bytes);

  std::vector<Block> blocks_;    // never empty
  std::size_t current_ = 0;      // which is being filled
  std::vector<Piece> released_;  // by address; no two of them touch
  std::size_t used_ = 0;         // of the current block
  std::size_t used_in_full_blocks_ = 0;
  std::size_t peak_ = 0;
  std::size_t limit_ = 0;
  Finalizer* finalizers_ = nullptr;
};

}  // namespace dhyan
