#include "server/rate_limiter.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "core/error.h"

namespace dhyan::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const RateLimiter::Clock::time_point kStart(std::chrono::hours(1000));

TEST(RateLimiter, AdmitsAsManyAsTheLimitAtOnce) {
  RateLimiter limiter;
  for (int i = 0; i < 6; ++i) EXPECT_EQ(limiter.retry_after({"a", 6}, kStart), seconds(0)) << i;
  EXPECT_EQ(limiter.retry_after({"a", 6}, kStart), seconds(10));
  EXPECT_EQ(limiter.retry_after({"a", 6}, kStart + milliseconds(9500)), seconds(1)) << "a refusal costs nothing";
  EXPECT_EQ(limiter.retry_after({"b", 6}, kStart), seconds(0)) << "another client";
}

TEST(RateLimiter, AdmitsWhatItAnnounced) {
  for (const long limit : {1L, 10L, 60L, 600L, 6'000L}) {
    RateLimiter limiter;
    for (long i = 0; i < limit; ++i) ASSERT_EQ(limiter.retry_after({"a", limit}, kStart), seconds(0)) << limit;
    auto now = kStart;
    for (int i = 0; i < 50; ++i) {
      const seconds wait = limiter.retry_after({"a", limit, 1}, now);
      EXPECT_EQ(wait, seconds((60 + limit - 1) / limit)) << limit;
      EXPECT_GT(limiter.retry_after({"a", limit, 1}, now + wait - seconds(1)), seconds(0)) << limit;
      now += wait;
      const long fits = limit * wait.count() / 60;
      EXPECT_EQ(limiter.retry_after({"a", limit, fits}, now), seconds(0)) << limit;
    }
  }
}

TEST(RateLimiter, AdmitsTheLimitAMinuteInTheLongRun) {
  RateLimiter limiter;
  int admitted = 0;
  for (int i = 0; i < 10 * 600; ++i) {
    if (limiter.retry_after({"a", 30}, kStart + milliseconds(100 * i)) == seconds(0)) ++admitted;
  }
  EXPECT_NEAR(admitted, 30 + 30 * 10, 1) << "all at first, then 30 in each of 10 minutes";
}

TEST(RateLimiter, TellsTheWaitForOneWithoutCounting) {
  RateLimiter limiter;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(limiter.wait_for_one("a", 2, kStart), seconds(0));
  EXPECT_EQ(limiter.clients(), 0u);
  EXPECT_EQ(limiter.retry_after({"a", 2, 2}, kStart), seconds(0));
  EXPECT_EQ(limiter.wait_for_one("a", 2, kStart), seconds(30));
  EXPECT_EQ(limiter.wait_for_one("a", 2, kStart + seconds(30)), seconds(0));
  EXPECT_EQ(limiter.wait_for_one("a", 0, kStart), seconds(0)) << "any number";
}

TEST(RateLimiter, CountsABatchByItsLength) {
  RateLimiter limiter;
  EXPECT_EQ(limiter.retry_after({"a", 60, 50}, kStart), seconds(0));
  EXPECT_EQ(limiter.retry_after({"a", 60, 20}, kStart), seconds(10));
  EXPECT_EQ(limiter.retry_after({"a", 60, 10}, kStart), seconds(0)) << "a smaller one still fits";
}

TEST(RateLimiter, AdmitsABatchOverTheLimitAfterSilence) {
  RateLimiter limiter;
  EXPECT_EQ(limiter.retry_after({"a", 60, 180}, kStart), seconds(0));
  EXPECT_EQ(limiter.retry_after({"a", 60}, kStart), seconds(121)) << "it takes two minutes of debt";
  EXPECT_EQ(limiter.retry_after({"a", 60, 180}, kStart), seconds(180));
  EXPECT_EQ(limiter.retry_after({"a", 60, 180}, kStart + seconds(180)), seconds(0));
}

TEST(RateLimiter, AdmitsAllWithoutALimit) {
  RateLimiter limiter;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(limiter.retry_after({"a", 0, 1000}, kStart), seconds(0));
  EXPECT_EQ(limiter.clients(), 0u);
}

TEST(RateLimiter, FollowsALimitThatChanges) {
  RateLimiter limiter;
  for (int i = 0; i < 6; ++i) EXPECT_EQ(limiter.retry_after({"a", 6}, kStart), seconds(0));
  EXPECT_GT(limiter.retry_after({"a", 6}, kStart), seconds(0));
  EXPECT_EQ(limiter.retry_after({"a", 0}, kStart), seconds(0));
  EXPECT_EQ(limiter.retry_after({"a", 60}, kStart), seconds(1));
}

TEST(RateLimiter, ForgetsClientsThatAskedLongestAgo) {
  RateLimiter limiter(3);
  for (const char* client : {"a", "b", "c"}) limiter.retry_after({client, 1}, kStart);
  EXPECT_GT(limiter.retry_after({"a", 1}, kStart), seconds(0));
  limiter.retry_after({"d", 1}, kStart);
  EXPECT_EQ(limiter.clients(), 3u);
  EXPECT_GT(limiter.retry_after({"a", 1}, kStart), seconds(0)) << "it asked after b";
  EXPECT_EQ(limiter.retry_after({"b", 1}, kStart), seconds(0)) << "forgotten";
}

TEST(RateLimiter, ForgetsClientsThatHaveNothingToPay) {
  RateLimiter limiter;
  for (int i = 0; i < 100; ++i) limiter.retry_after({std::to_string(i), 60}, kStart);
  EXPECT_EQ(limiter.clients(), 100u);
  limiter.retry_after({"new", 60}, kStart + seconds(2));
  EXPECT_EQ(limiter.clients(), 1u);
}

TEST(RateLimiter, BoundsTheNamesItRemembers) {
  RateLimiter limiter;
  const std::string name(RateLimiter::kMaxNameBytes, 'x');
  EXPECT_EQ(limiter.retry_after({name + "1", 1}, kStart), seconds(0));
  EXPECT_GT(limiter.retry_after({name + "2", 1}, kStart), seconds(0));
}

TEST(RateLimiter, CountsOnceFromManyThreads) {
  RateLimiter limiter(100);
  std::atomic<int> admitted = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) {
          if (limiter.retry_after({"shared", 500}, kStart) == seconds(0)) ++admitted;
          limiter.retry_after({cat(i % 50), 1}, kStart);
        }
      });
    }
  }
  EXPECT_EQ(admitted, 500);
}

TEST(RateLimiter, TakesTheNetworkOfAnIpv6Address) {
  EXPECT_EQ(client_of_address("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_of_address("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(client_of_address("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(client_of_address("2001:DB8:1:2::9"), "2001:db8:1:2::/64");
  EXPECT_NE(client_of_address("2001:db8:1:3::9"), "2001:db8:1:2::/64");
  EXPECT_EQ(client_of_address("fe80::1%eth0"), "fe80::/64");
  EXPECT_EQ(client_of_address(""), "");
  EXPECT_EQ(client_of_address("unknown"), "unknown");
}

}  // namespace
}  // namespace dhyan::server
