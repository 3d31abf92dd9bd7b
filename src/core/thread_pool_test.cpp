#include "core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/sanitizers.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

// Lets one thread wait for another.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

// Sanitizers reserve terabytes of address space.
#if !defined(DHYAN_ADDRESS_SANITIZER) && !defined(DHYAN_THREAD_SANITIZER)
TEST(ThreadPool, SaysHowManyThreadsStartedIfSomeCouldNot) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (rlim_t{100} << 20);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &limit);
    const std::string message = thrown<Error>([] { ThreadPool pool(1024); });
    const bool told =
        message.starts_with("threads: the system starts no more than ") &&
        message.ends_with(" of 1024 threads: Resource temporarily unavailable; ask for fewer (--threads)");
    ::_exit(told ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    std::vector<int> runs(1000);
    pool.run(1000, [&](Index i, int worker) {
      ++runs[static_cast<std::size_t>(i)];
      EXPECT_TRUE(worker >= 0 && worker < threads);
    });
    EXPECT_EQ(runs, std::vector<int>(1000, 1));
  }
}

TEST(ThreadPool, StartsTasksInOrder) {
  ThreadPool pool(1);
  std::vector<Index> order;
  pool.run(50, [&](Index i, int) { order.push_back(i); });
  std::vector<Index> expected(50);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(ThreadPool, GivesEachWorkerAscendingTasks) {
  ThreadPool pool(3);
  std::vector<std::vector<Index>> taken(3);
  pool.run(300, [&](Index i, int worker) { taken[static_cast<std::size_t>(worker)].push_back(i); });
  for (const std::vector<Index>& tasks : taken) EXPECT_TRUE(std::ranges::is_sorted(tasks));
}

TEST(ThreadPool, RunsTasksAtTheSameTime) {
  ThreadPool pool(2);
  Gate first, second;
  pool.run(2, [&](Index i, int) {  // would hang if one waited for the other's end
    (i == 0 ? first : second).open();
    (i == 0 ? second : first).pass();
  });
}

TEST(ThreadPool, WithNoTasksReturnsAtOnceAndStaysUsable) {
  ThreadPool pool(2);
  pool.run(0, [](Index, int) { FAIL(); });
  std::atomic<int> runs = 0;
  pool.run(3, [&](Index, int) { ++runs; });
  EXPECT_EQ(runs, 3);
}

TEST(ThreadPool, PreparesEachThreadOnceBeforeItsFirstTask) {
  static thread_local int prepared = 0;
  std::atomic<int> starts = 0;
  {
    ThreadPool pool(3, [&] {
      ++prepared;
      ++starts;
    });
    for (int repeat = 0; repeat < 3; ++repeat) {
      pool.run(30, [](Index, int) { EXPECT_EQ(prepared, 1); });
    }
  }
  EXPECT_EQ(starts, 3);
  EXPECT_EQ(prepared, 0) << "the caller's thread is not one of the pool";
}

TEST(ThreadPool, ThrowsTheExceptionOfTheLowestFailedTask) {
  ThreadPool pool(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    Gate later_failed;
    try {
      pool.run(2, [&](Index i, int) {
        if (i == 0) later_failed.pass();  // fails second in time
        if (i == 1) later_failed.open();
        throw DataError(cat("task ", i));
      });
      FAIL() << "expected DataError";
    } catch (const DataError& error) {
      EXPECT_STREQ(error.what(), "task 0");
    }
  }
}

TEST(ThreadPool, StartsNothingAfterAFailureAndWorksAgainNextTime) {
  ThreadPool pool(1);
  std::vector<Index> started;
  EXPECT_THROW(pool.run(10,
                        [&](Index i, int) {
                          started.push_back(i);
                          if (i == 3) throw DataError("task 3");
                        }),
               DataError);
  EXPECT_EQ(started, (std::vector<Index>{0, 1, 2, 3}));

  std::atomic<int> runs = 0;
  pool.run(10, [&](Index, int) { ++runs; });
  EXPECT_EQ(runs, 10);
}

TEST(ThreadPool, RefusesARunWithinARun) {
  ThreadPool pool(2);
  EXPECT_EQ(thrown<UsageError>([&] { pool.run(1, [&](Index, int) { pool.run(1, [](Index, int) {}); }); }),
            "ThreadPool::run: called while another run is under way");
}

TEST(IntraOpThreads, RunPartsOnIdleThreads) {
  ThreadPool pool(3);
  pool.run(1, [&](Index, int worker) {
    IntraOpThreads& intra_op = pool.intra_op(worker);
    EXPECT_EQ(intra_op.idle(), 2);
    for (int repeat = 0; repeat < 100; ++repeat) {
      Gate gates[3];
      intra_op.parallel_for(3, [&](Index i) {  // would hang if one thread took two
        gates[i].open();
        for (Gate& gate : gates) gate.pass();
      });
    }
  });
}

TEST(IntraOpThreads, WakeAgainAfterTheySlept) {
  ThreadPool pool(2);
  pool.run(1, [&](Index, int worker) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      Gate gates[2];
      pool.intra_op(worker).parallel_for(2, [&](Index i) {
        gates[i].open();
        gates[1 - i].pass();
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // by now they are asleep
    }
  });
}

TEST(IntraOpThreads, AreNoneIfEveryThreadHasATask) {
  ThreadPool pool(2);
  Gate first, second;
  pool.run(2, [&](Index i, int worker) {
    (i == 0 ? first : second).open();
    (i == 0 ? second : first).pass();
    int parts = 0;
    pool.intra_op(worker).parallel_for(5, [&](Index) { ++parts; });
    EXPECT_EQ(parts, 5);
  });
}

TEST(IntraOpThreads, ServeTheLoopsOfSeveralTasks) {
  ThreadPool pool(4);
  std::vector<std::vector<int>> done(20, std::vector<int>(1000));
  pool.run(20, [&](Index task, int worker) {
    std::vector<int>& mine = done[static_cast<std::size_t>(task)];
    for (std::size_t begin = 0; begin < mine.size(); begin += 10) {
      pool.intra_op(worker).parallel_for(10, [&](Index i) { ++mine[begin + static_cast<std::size_t>(i)]; });
    }
  });
  EXPECT_EQ(done, (std::vector<std::vector<int>>(20, std::vector<int>(1000, 1))));
}

TEST(IntraOpThreads, RethrowTheExceptionOfAPart) {
  ThreadPool pool(2);
  const auto fail = [&](Index, int worker) {
    pool.intra_op(worker).parallel_for(2, [](Index) { throw DataError("a part"); });
  };
  EXPECT_EQ(thrown<DataError>([&] { pool.run(1, fail); }), "a part");
  std::atomic<int> runs = 0;
  pool.run(3, [&](Index, int) { ++runs; });
  EXPECT_EQ(runs, 3);
}

TEST(ThreadPool, RefusesToStartNoThreads) {
  EXPECT_EQ(ThreadPool(4).size(), 4);
  EXPECT_EQ(thrown<ConfigError>([&] { ThreadPool pool(0); }), "ThreadPool: 0 threads, expected at least 1");
}

}  // namespace
}  // namespace dhyan
