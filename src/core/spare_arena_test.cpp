#include "core/spare_arena.h"

#include <gtest/gtest.h>
#include <thread>

namespace dhyan {
namespace {

TEST(SpareArena, ReusesTheMemoryOfADestroyedOne) {
  std::thread([] {  // a new thread has an empty free list
    const void* first = nullptr;
    {
      const SpareArena one;
      first = (*one).allocate(std::size_t{3} << 20);
    }
    const SpareArena again, another;
    EXPECT_GE((*again).capacity_bytes(), std::size_t{3} << 20);
    EXPECT_EQ((*again).used_bytes(), 0U);
    EXPECT_NE(&*again, &*another);
    EXPECT_NE(first, nullptr);
  })
      .join();
}

TEST(SpareArena, DestroysItsObjects) {
  const auto alive = std::make_shared<int>(1);
  {
    const SpareArena one;
    (*one).make<std::shared_ptr<int>>(alive);
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

}  // namespace
}  // namespace dhyan
