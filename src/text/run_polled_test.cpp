#include "text/run_polled.h"

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <thread>

namespace dhyan {
namespace {

struct PollStop {};

TEST(RunPolled, RunsOnTheCallingThreadWithoutAPoll) {
  std::thread::id worker;
  run_polled([&] { worker = std::this_thread::get_id(); }, {});
  EXPECT_EQ(worker, std::this_thread::get_id());
}

TEST(RunPolled, PollsWhileTheWorkRuns) {
  std::promise<void> polled_twice;
  int polls = 0;
  bool worked = false;
  run_polled(
      [&] {
        polled_twice.get_future().wait();
        worked = true;
      },
      [&] {
        if (++polls == 2) polled_twice.set_value();
      });
  EXPECT_TRUE(worked);
  EXPECT_GE(polls, 2);
}

TEST(RunPolled, RethrowsExceptionsOfTheWork) {
  EXPECT_THROW(run_polled([] { throw std::runtime_error("no"); }, [] {}), std::runtime_error);
}

TEST(RunPolled, ReturnsAtOnceWhenThePollThrowsWhileTheWorkContinues) {
  const auto begun = std::make_shared<std::atomic<bool>>(false), ended = std::make_shared<std::atomic<bool>>(false);
  const auto may_end = std::make_shared<std::promise<void>>();
  const auto work = [begun, ended, may_end] {
    *begun = true;
    may_end->get_future().wait();
    *ended = true;
  };
  EXPECT_THROW(run_polled(work,
                          [&] {
                            if (*begun) throw PollStop();
                          }),
               PollStop);
  EXPECT_FALSE(*ended);
  may_end->set_value();
  while (!*ended) std::this_thread::yield();
}

}  // namespace
}  // namespace dhyan
