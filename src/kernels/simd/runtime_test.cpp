#include "kernels/simd/runtime.h"

#include <atomic>
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <limits>
#include <string>
#include <thread>

#include "core/real.h"
#include "kernels/testing/on_every_target.h"

namespace dhyan::kernels {
namespace {

// At run time: the compiler does not know the floating-point mode.
Real product(Real a, Real b) {
  const volatile Real first = a, second = b;
  return first * second;
}

constexpr Real kSmallest = std::numeric_limits<Real>::min();  // the smallest normal number

bool flushes_denormal_results() { return product(kSmallest, Real(0.5)) == 0; }
bool reads_denormals_as_zero() { return product(kSmallest / 2, 4) == 0; }

TEST(Runtime, KeepsDenormalsOnAThreadThatIsNotPrepared) {
  std::thread([] {
    EXPECT_FALSE(flushes_denormal_results());
    EXPECT_FALSE(reads_denormals_as_zero());
  }).join();
}

TEST(Runtime, FlushesDenormalsOnAPreparedThread) {
  std::thread([] {
    prepare_thread();
    EXPECT_TRUE(flushes_denormal_results());
    EXPECT_TRUE(reads_denormals_as_zero());
    EXPECT_EQ(product(kSmallest, 1), kSmallest) << "normal values stay";
  }).join();
}

TEST(Runtime, PreparesEveryThreadOfAPool) {
  constexpr int kThreads = 4;
  ThreadPool pool = make_thread_pool(kThreads);
  // The barrier makes every thread take exactly one task.
  std::atomic<int> arrived = 0;
  pool.run(kThreads, [&](Index, int) {
    ++arrived;
    while (arrived < kThreads) std::this_thread::yield();
    EXPECT_TRUE(flushes_denormal_results());
    EXPECT_TRUE(reads_denormals_as_zero());
  });
}

TEST(Runtime, NamesTheBestCompiledTarget) {
  std::string best;  // on_every_target visits the best target first
  on_every_target([&best] {
    if (best.empty()) best = hwy::TargetName(hwy::SupportedTargets());
  });
  EXPECT_EQ(simd_target(), best);
}

}  // namespace
}  // namespace dhyan::kernels
