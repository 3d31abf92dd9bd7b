#include "server/task_threads.h"

#include <atomic>
#include <chrono>
#include <future>
#include <gtest/gtest.h>

namespace dhyan::server {
namespace {

TEST(TaskThreads, ALongTaskDoesNotHoldUpTheNext) {
  std::promise<void> release, ran;
  TaskThreads tasks(2);
  tasks.post([&] { release.get_future().wait(); });
  tasks.post([&] { ran.set_value(); });
  EXPECT_EQ(ran.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  release.set_value();
}

TEST(TaskThreads, RunWhatWasPostedBeforeTheyEnd) {
  std::atomic<int> ran = 0;
  {
    TaskThreads tasks(3);
    for (int i = 0; i < 1000; ++i) tasks.post([&] { ++ran; });
  }
  EXPECT_EQ(ran, 1000);
}

}  // namespace
}  // namespace dhyan::server
