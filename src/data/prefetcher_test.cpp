#include "data/prefetcher.h"

#include <atomic>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Prefetcher, ReturnsItemsInOrder) {
  Prefetcher<int> numbers([n = 0](const std::stop_token&) mutable { return n++; }, 3);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(numbers.take(), i);
}

TEST(Prefetcher, MakesAtMostAheadItems) {
  std::atomic<int> made = 0;
  {
    Prefetcher<int> numbers([&](const std::stop_token&) { return made++; }, 2);
    numbers.take();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_LE(made, 3);
}

TEST(Prefetcher, RethrowsAFailureAfterTheItemsMadeBefore) {
  Prefetcher<int> numbers(
      [n = 0](const std::stop_token&) mutable {
        if (n == 2) throw DataError("no third");
        return n++;
      },
      1);
  EXPECT_EQ(numbers.take(), 0);
  EXPECT_EQ(numbers.take(), 1);
  for (int again = 0; again < 2; ++again) EXPECT_EQ(thrown<DataError>([&] { numbers.take(); }), "no third");
}

TEST(Prefetcher, StopsWhileMakingAnItem) {
  Prefetcher<int> endless(
      [](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
        return 0;
      },
      1);
}

TEST(Prefetcher, StopsWhileItsQueueIsFull) {
  for (int i = 0; i < 100; ++i) Prefetcher<int>([](const std::stop_token&) { return 1; }, 1);
}

TEST(Prefetcher, MeasuresTheWaitingTime) {
  Prefetcher<int> slow(
      [](const std::stop_token&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return 1;
      },
      1);
  slow.take();
  EXPECT_GT(slow.seconds_waited(), 0.005);
}

}  // namespace
}  // namespace dhyan
