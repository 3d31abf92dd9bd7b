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

// Computed at run time: the compiler knows no floating-point mode.
Real product(Real a, Real b) {
  const volatile Real first = a, second = b;
  return first * second;
}

constexpr Real kSmallest = std::numeric_limits<Real>::min();  // the smallest normal number

bool flushes_denormal_results() { return product(kSmallest, Real(0.5)) == 0; }
bool reads_denormals_as_zero() { return product(kSmallest / 2, 4) == 0; }

TEST(Runtime, ADenormalIsANumberOnAThreadThatWasNotPrepared) {
  std::thread([] {
    EXPECT_FALSE(flushes_denormal_results());
    EXPECT_FALSE(reads_denormals_as_zero());
  }).join();
}

TEST(Runtime, ADenormalCountsAsZeroOnAPreparedThread) {
  std::thread([] {
    prepare_thread();
    EXPECT_TRUE(flushes_denormal_results());
    EXPECT_TRUE(reads_denormals_as_zero());
    EXPECT_EQ(product(kSmallest, 1), kSmallest) << "normal values stay";
  }).join();
}

TEST(Runtime, EveryThreadOfAPoolIsPrepared) {
  constexpr int kThreads = 4;
  ThreadPool pool = make_thread_pool(kThreads);
  // A barrier in the task makes every thread take exactly one.
  std::atomic<int> arrived = 0;
  pool.run(kThreads, [&](Index, int) {
    ++arrived;
    while (arrived < kThreads) std::this_thread::yield();
    EXPECT_TRUE(flushes_denormal_results());
    EXPECT_TRUE(reads_denormals_as_zero());
  });
}

TEST(Runtime, NamesTheBestTargetThatWasCompiledIn) {
  std::string best;  // the last that on_every_target would visit is the slowest; the first is the one in use
  on_every_target([&best] {
    if (best.empty()) best = hwy::TargetName(hwy::SupportedTargets());
  });
  EXPECT_EQ(simd_target(), best);
}

}  // namespace
}  // namespace dhyan::kernels
