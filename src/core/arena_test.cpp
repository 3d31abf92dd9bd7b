#include "core/arena.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <vector>

// Of the address sanitizer; null in other builds.
extern "C" [[gnu::weak]] int __asan_address_is_poisoned(const volatile void* address);

namespace dhyan {
namespace {

// Records its destruction.
struct Destroyed {
  Destroyed(std::vector<int>& log, int name) : destroyed(&log), number(name) {}
  ~Destroyed() { destroyed->push_back(number); }
  Destroyed(const Destroyed&) = delete;
  Destroyed& operator=(const Destroyed&) = delete;

  std::vector<int>* destroyed;
  int number;
};

TEST(Arena, HandsOutAlignedMemoryThatDoesNotOverlap) {
  Arena arena(1024);
  std::vector<std::byte*> pieces;
  for (const std::size_t bytes : {1, 63, 64, 65, 500, 700}) {
    auto* piece = static_cast<std::byte*>(arena.allocate(bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % Arena::kAlignment, 0u);
    std::memset(piece, static_cast<int>(pieces.size()), bytes);
    pieces.push_back(piece);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) EXPECT_EQ(*pieces[i], static_cast<std::byte>(i));
}

TEST(Arena, PoisonsMemoryThatIsNotHandedOut) {
  if (__asan_address_is_poisoned == nullptr) GTEST_SKIP() << "needs the address sanitizer";
  Arena arena(1024);
  auto* piece = static_cast<std::byte*>(arena.allocate(64));
  EXPECT_FALSE(__asan_address_is_poisoned(piece));
  EXPECT_TRUE(__asan_address_is_poisoned(piece + 64));
  arena.reset();
  EXPECT_TRUE(__asan_address_is_poisoned(piece));
}

TEST(Arena, GivesNonNullForNoBytes) {
  Arena arena;
  EXPECT_NE(arena.allocate(0), nullptr);
  EXPECT_EQ(arena.used_bytes(), 0u);
}

TEST(Arena, RunsDestructorsNewestFirstOnResetAndOnlyOnce) {
  std::vector<int> destroyed;
  Arena arena;
  arena.make<Destroyed>(destroyed, 1);
  arena.make<Destroyed>(destroyed, 2);
  EXPECT_TRUE(destroyed.empty());
  arena.reset();
  EXPECT_EQ(destroyed, (std::vector<int>{2, 1}));
  arena.reset();
  EXPECT_EQ(destroyed.size(), 2u);
}

TEST(Arena, RunsDestructorsWhenItIsDestroyed) {
  std::vector<int> destroyed;
  {
    Arena arena(64);  // so small that the objects lie in several blocks
    for (int i = 0; i < 5; ++i) arena.make<Destroyed>(destroyed, i);
  }
  EXPECT_EQ(destroyed, (std::vector<int>{4, 3, 2, 1, 0}));
}

TEST(Arena, DoesNotDestroyAnObjectWhoseConstructorThrew) {
  struct Unborn {
    Unborn() { throw 1; }
    ~Unborn() { ADD_FAILURE() << "destroyed"; }
  };
  Arena arena;
  EXPECT_THROW(arena.make<Unborn>(), int);
  arena.reset();
}

TEST(Arena, TakesNoBookkeepingForTrivialObjects) {
  Arena arena;
  arena.make<int>(3);
  EXPECT_EQ(arena.used_bytes(), Arena::kAlignment);
}

TEST(Arena, TakesNoBookkeepingForObjectsWithoutADestructorCall) {
  struct Undestroyed {
    ~Undestroyed() { ADD_FAILURE() << "destroyed"; }
  };
  Arena arena;
  arena.make_without_destructor<Undestroyed>();
  EXPECT_EQ(arena.used_bytes(), Arena::kAlignment);
  arena.reset();
}

TEST(Arena, GrowsBeyondItsFirstBlockAndKeepsItsContent) {
  Arena arena(128);
  int& early = arena.make<int>(42);
  arena.allocate(100'000);
  EXPECT_EQ(early, 42);
  EXPECT_GE(arena.capacity_bytes(), 100'128u);
  EXPECT_GE(arena.used_bytes(), 100'064u);
}

TEST(Arena, NeedsNoNewBlockForAStepAsLargeAsAnEarlierOne) {
  Arena arena(64);
  const auto step = [&arena] {
    for (int i = 0; i < 100; ++i) arena.allocate(1000);
  };
  step();
  const std::size_t needed = arena.used_bytes();
  arena.reset();
  const std::size_t capacity = arena.capacity_bytes();
  EXPECT_GE(capacity, needed);
  for (int repeat = 0; repeat < 3; ++repeat) {
    step();
    EXPECT_EQ(arena.capacity_bytes(), capacity);
    arena.reset();
    EXPECT_EQ(arena.capacity_bytes(), capacity);
  }
}

TEST(Arena, KeepsItsBlocksUntilOneIsEnough) {
  Arena arena(64);
  void* const first = arena.allocate(64);
  void* const second = arena.allocate(128);
  arena.reset();
  EXPECT_EQ(arena.allocate(64), first);
  EXPECT_EQ(arena.allocate(128), second);
  void* const third = arena.allocate(256);
  arena.reset();
  EXPECT_EQ(arena.allocate(256), third);  // too large for the others
  arena.allocate(1024);
  arena.reset();
  EXPECT_EQ(arena.capacity_bytes(), 64u + 128 + 256 + 1024);
  arena.allocate(2000);
  arena.reset();
  EXPECT_EQ(arena.capacity_bytes(), 2048u);
}

TEST(Arena, RemembersItsPeakThroughResets) {
  Arena arena;
  arena.allocate(6400);
  arena.reset();
  EXPECT_EQ(arena.used_bytes(), 0u);
  arena.allocate(64);
  EXPECT_EQ(arena.used_bytes(), 64u);
  EXPECT_EQ(arena.peak_bytes(), 6400u);
}

TEST(Arena, ReusesReleasedMemory) {
  Arena arena;
  void *a = arena.allocate(6400), *b = arena.allocate(1280), *c = arena.allocate(6400), *d = arena.allocate(640);
  const std::size_t used = arena.used_bytes();
  arena.release(c, 6400);
  arena.release(b, 1280);
  EXPECT_EQ(arena.allocate(7000), b) << "neighbours become one piece";
  arena.release(b, 7000);
  arena.release(d, 640);
  arena.release(a, 6370);  // rounded up as it was
  EXPECT_EQ(arena.allocate(6400 + 1280 + 6400 + 640), a);
  EXPECT_EQ(arena.used_bytes(), used);
}

TEST(Arena, TakesTheSmallestPieceThatIsLargeEnough) {
  Arena arena;
  void* large = arena.allocate(6400);
  arena.allocate(64);
  void* small = arena.allocate(1280);
  arena.allocate(64);
  arena.release(large, 6400);
  arena.release(small, 1280);
  EXPECT_NE(arena.allocate(64), small) << "large pieces stay whole";
  EXPECT_EQ(arena.allocate(1250), small);
  EXPECT_EQ(arena.allocate(1280), large);
  EXPECT_EQ(arena.allocate(5120), static_cast<std::byte*>(large) + 1280) << "the rest of it";
  EXPECT_NE(arena.allocate(1280), nullptr);
  arena.release(large, 1280);
  arena.reset();
  EXPECT_EQ(arena.allocate(64), large) << "reset() also forgets released memory";
}

TEST(Arena, RefusesARequestWhoseRoundingWouldOverflow) {
  Arena arena;
  EXPECT_THROW(arena.allocate(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  EXPECT_NO_THROW(arena.allocate(8));
}

TEST(Arena, GrowsNoFurtherThanItsLimit) {
  Arena arena(64);
  arena.set_limit(256);
  arena.allocate(192);
  EXPECT_THROW(arena.allocate(65), ArenaFull);
  EXPECT_EQ(arena.used_bytes(), 192u) << "a refused allocation is not counted";
  arena.allocate(64);
  arena.set_limit(0);
  arena.allocate(1000);
  arena.reset();
  EXPECT_GE(arena.peak_bytes(), 1256u);
}

}  // namespace
}  // namespace dhyan
