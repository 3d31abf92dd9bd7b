#include "server/job_queue.h"

#include <future>
#include <gtest/gtest.h>
#include <thread>

namespace dhyan::server {
namespace {

std::shared_ptr<Job> job_of(std::size_t sentences, const std::string& key = "model", std::size_t bytes = 10) {
  const auto job = std::make_shared<Job>();
  job->batch_key = key;
  job->sentences.assign(sentences, std::string(bytes, 'a'));
  return job;
}

std::size_t count_of(const JobBatch& batch, const std::shared_ptr<Job>& job) {
  return static_cast<std::size_t>(std::ranges::count(batch.parts, job, &JobBatch::Part::job));
}

TEST(JobQueue, TakesSentencesOfEachRequestInTurn) {
  JobQueue queue({.max_batch_sentences = 6});
  const auto longest = job_of(100), shortest = job_of(1), middle = job_of(3);
  for (const auto& job : {longest, shortest, middle}) EXPECT_TRUE(queue.add(job));
  const JobBatch batch = queue.take();
  EXPECT_EQ(batch.parts.size(), 6U);
  EXPECT_EQ(count_of(batch, shortest), 1U);
  EXPECT_EQ(count_of(batch, middle), 2U);
  EXPECT_EQ(count_of(batch, longest), 3U);
  const JobBatch next = queue.take();
  EXPECT_EQ(count_of(next, middle), 1U);
  EXPECT_EQ(next.parts.front().sentence, next.parts.front().job == middle ? 2U : 3U);
}

TEST(JobQueue, ARequestThatComesLaterIsInTheNextBatch) {
  JobQueue queue({.max_batch_sentences = 8});
  const auto early = job_of(400);
  queue.add(early);
  queue.take();
  const auto late = job_of(1);
  queue.add(late);
  EXPECT_EQ(count_of(queue.take(), late), 1U);
}

TEST(JobQueue, MixesOnlyWhatMayShareABatch) {
  JobQueue queue({});
  const auto one = job_of(2, "a"), other = job_of(2, "b"), again = job_of(2, "a");
  for (const auto& job : {one, other, again}) queue.add(job);
  const JobBatch first = queue.take();
  EXPECT_EQ(count_of(first, one), 2U);
  EXPECT_EQ(count_of(first, again), 2U);
  EXPECT_EQ(count_of(queue.take(), other), 2U);
}

TEST(JobQueue, WorkIsABatchOfItsOwn) {
  JobQueue queue({});
  const auto sentences = job_of(1);
  const auto work = std::make_shared<Job>();
  work->work = [](const std::function<void()>&) {};
  queue.add(work);
  queue.add(sentences);
  const JobBatch first = queue.take();
  ASSERT_EQ(first.parts.size(), 1U);
  EXPECT_EQ(first.parts.front().job, work);
  EXPECT_EQ(count_of(queue.take(), sentences), 1U);
}

TEST(JobQueue, SharesSentencesEquallyAmongWorkers) {
  JobQueue queue({.workers = 2});
  queue.add(job_of(20));
  const JobBatch first = queue.take();
  EXPECT_EQ(first.parts.size(), 10U);
  queue.add(job_of(1));
  EXPECT_EQ(queue.take().parts.size(), 11U) << "of the 21 that wait or are worked on";
  queue.finish(first);
  queue.add(job_of(5));
  EXPECT_EQ(queue.take().parts.size(), 5U) << "what waits is less than the half of 16";
}

TEST(JobQueue, GathersAsManySentencesAsItIsTold) {
  JobQueue queue({});
  queue.add(job_of(1));
  std::future<JobBatch> batch = std::async(
      std::launch::async, [&] { return queue.take({.sentences = 3, .until = Clock::now() + std::chrono::hours(1)}); });
  EXPECT_EQ(batch.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  queue.add(job_of(1));
  queue.add(job_of(1));
  EXPECT_EQ(batch.get().parts.size(), 3U);
}

TEST(JobQueue, GathersNoLongerThanItIsTold) {
  JobQueue queue({});
  queue.add(job_of(1));
  const auto until = Clock::now() + std::chrono::milliseconds(20);
  EXPECT_EQ(queue.take({.sentences = 3, .until = until}).parts.size(), 1U);
  EXPECT_GE(Clock::now(), until);
  queue.close();
  EXPECT_TRUE(queue.take({.sentences = 3, .until = until + std::chrono::hours(1)}).empty());
}

TEST(JobQueue, BoundsABatchByItsText) {
  JobQueue queue({.max_batch_bytes = 100});
  queue.add(job_of(5, "model", 60));
  EXPECT_EQ(queue.take().parts.size(), 1U);
  queue.add(job_of(1, "other", 1000));
  queue.take();
}

TEST(JobQueue, CallsDoneOnceAfterTheLastSentence) {
  JobQueue queue({.max_batch_sentences = 2});
  const auto job = job_of(3);
  int done = 0;
  job->done = [&](Job&) { ++done; };
  queue.add(job);
  const JobBatch first = queue.take(), second = queue.take();
  queue.finish(second);
  EXPECT_EQ(done, 0);
  queue.finish(first);
  EXPECT_EQ(done, 1);
  EXPECT_TRUE(queue.idle());
}

TEST(JobQueue, RemovesCancelledJobsBeforeTheyAreTaken) {
  JobQueue queue({.max_batch_sentences = 1});
  const auto left = job_of(5), stays = job_of(1, "other");
  int done = 0;
  left->done = [&](Job& job) { done += job.cancelled ? 1 : 100; };
  queue.add(left);
  const JobBatch begun = queue.take();
  left->cancelled = true;
  queue.add(stays);
  EXPECT_EQ(count_of(queue.take(), stays), 1U);
  EXPECT_EQ(done, 0) << "a sentence of it is still worked on";
  queue.finish(begun);
  EXPECT_EQ(done, 1);
}

TEST(JobQueue, AJobPastItsDeadlineExpires) {
  JobQueue queue({});
  const auto late = job_of(1), fine = job_of(1);
  late->deadline = Clock::now() - std::chrono::seconds(1);
  bool expired = false;
  late->done = [&](Job& job) { expired = job.expired; };
  queue.add(late);
  queue.add(fine);
  const JobBatch batch = queue.take();
  EXPECT_EQ(count_of(batch, late), 0U);
  EXPECT_TRUE(expired);
}

TEST(JobQueue, WatchedItDropsCancelledAndLateJobsWhileAllWorkersAreBusy) {
  JobQueue queue({});
  std::promise<void> cancelled_over, late_over;
  const auto cancelled = job_of(2), late = job_of(2);
  cancelled->done = [&](Job&) { cancelled_over.set_value(); };
  late->done = [&](Job&) { late_over.set_value(); };
  queue.add(cancelled);
  late->deadline = Clock::now() + std::chrono::milliseconds(50);
  queue.add(late);
  std::thread watch([&] { queue.watch(); });
  cancelled->cancelled = true;
  EXPECT_EQ(cancelled_over.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_EQ(late_over.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_TRUE(late->expired);
  EXPECT_FALSE(cancelled->expired);
  EXPECT_EQ(queue.waiting(), 0u);
  queue.close();
  watch.join();
}

TEST(JobQueue, CancelledJobsMakeRoomForOthers) {
  JobQueue queue({.max_jobs = 2});
  int over = 0;
  const auto leaves = job_of(1);
  leaves->done = [&](Job&) { ++over; };
  queue.add(leaves);
  queue.add(job_of(1));
  EXPECT_FALSE(queue.add(job_of(1)));
  leaves->cancelled = true;
  EXPECT_TRUE(queue.add(job_of(1)));
  EXPECT_EQ(over, 1);
}

TEST(JobQueue, IsFullWhenSoManyRequestsWait) {
  JobQueue queue({.max_jobs = 2});
  EXPECT_TRUE(queue.add(job_of(50)));
  EXPECT_TRUE(queue.add(job_of(1)));
  EXPECT_FALSE(queue.add(job_of(1)));
  queue.take();
  EXPECT_TRUE(queue.add(job_of(1)));
}

TEST(JobQueue, AJobWithoutSentencesIsDoneAtOnce) {
  JobQueue queue({});
  const auto empty = job_of(0), other = job_of(1);
  bool done = false;
  empty->done = [&](Job&) { done = true; };
  queue.add(empty);
  queue.add(other);
  EXPECT_EQ(count_of(queue.take(), other), 1U);
  EXPECT_TRUE(done);
}

TEST(JobQueue, ClosedItGivesWhatWaitsAndThenNothing) {
  JobQueue queue({});
  queue.add(job_of(1));
  queue.close();
  EXPECT_FALSE(queue.add(job_of(1)));
  EXPECT_FALSE(queue.take().empty());
  EXPECT_TRUE(queue.take().empty());
}

TEST(JobQueue, HandsOutEverySentenceOnceToManyThreads) {
  JobQueue queue({.max_batch_sentences = 7, .workers = 4});
  std::atomic<int> sentences = 0, done = 0;
  std::vector<std::jthread> workers;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&] {
      for (JobBatch batch = queue.take(); !batch.empty(); batch = queue.take()) {
        sentences += static_cast<int>(batch.parts.size());
        queue.finish(batch);
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    const auto job = job_of(static_cast<std::size_t>(i % 9), i % 2 == 0 ? "a" : "b");
    job->done = [&](Job&) { ++done; };
    while (!queue.add(job)) std::this_thread::yield();
  }
  queue.close();
  workers.clear();
  int expected = 0;
  for (int i = 0; i < 200; ++i) expected += i % 9;
  EXPECT_EQ(sentences, expected);
  EXPECT_EQ(done, 200);
}

}  // namespace
}  // namespace dhyan::server
