#include "core/shared_work.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

void share(SharedWork& work, Index parts, FunctionRef<void(Index)> part) {
  work.open(parts, part);
  work.finish();
}

TEST(SharedWork, RunsEveryPartOnceWhileOtherThreadsComeAndGo) {
  SharedWork work;
  std::atomic<bool> over = false;
  std::vector<std::thread> others;
  for (int thread = 0; thread < 2; ++thread) {
    others.emplace_back([&] {
      for (SpinWait wait; !over; wait.spin()) work.help();
    });
  }
  for (Index round = 0; round < 2000; ++round) {
    std::vector<Index> done(static_cast<std::size_t>(round % 7));
    share(work, std::ssize(done), [&](Index i) { done[static_cast<std::size_t>(i)] += round; });
    ASSERT_EQ(done, std::vector<Index>(done.size(), round));
  }
  over = true;
  for (std::thread& other : others) other.join();
}

TEST(SharedWork, HasNoPartsForHelpersUnlessItIsOpen) {
  SharedWork work;
  EXPECT_FALSE(work.help());
  share(work, 3, [](Index) {});
  EXPECT_FALSE(work.help());
}

TEST(SharedWork, RethrowsAnExceptionAfterAllOtherPartsHaveRun) {
  SharedWork work;
  int done = 0;
  const auto fail_once = [&](Index i) {
    ++done;
    if (i == 1) throw DataError("part 1");
  };
  EXPECT_EQ(thrown<DataError>([&] { share(work, 5, fail_once); }), "part 1");
  EXPECT_EQ(done, 5);
  share(work, 5, [&](Index) { ++done; });
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace dhyan
