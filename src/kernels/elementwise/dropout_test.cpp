#include "kernels/elementwise/dropout.h"

#include <gtest/gtest.h>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

TEST(DropoutKernel, DrawsTheWordsOfRngBlock) {
  const Rng noise(0x0123456789ABCDEF, 0xFEDCBA9876543210);
  on_every_target([&] {
    for (const std::size_t n : {0, 1, 3, 4, 31, 33, 1023, 1024, 1025, 5000}) {
      std::vector<std::uint32_t> words(n + 1, 7);
      random_words(noise, std::span(words).first(n));
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(words[i], noise.block(i / 4)[i % 4]) << i << " of " << n;
      EXPECT_EQ(words.back(), 7u);
    }
  });
}

TEST(DropoutKernel, KeepsAnElementIffItsWordReachesTheThreshold) {
  const Rng noise(9, 2);
  on_every_target([&] {
    for (const double probability : {0x1p-32, 0.1, 0.5, 0.999, 1 - 0x1p-40}) {
      Rng rng(1);
      const Values x = random_values(rng, 2100);
      Values y(x.size() + 1, 7), mask(x.size(), 7), dx(x.size(), 0.5), sum(x.size(), 7);
      dropout_mask(noise, probability, mask);
      dropout(x, noise, probability, std::span(y).first(x.size()));
      dropout_backward(x, noise, probability, dx);
      dropout_added(dx, x, noise, probability, sum);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const bool kept = noise.block(i / 4)[i % 4] >= probability * 0x1p32;
        const Real factor = kept ? static_cast<Real>(1 / (1 - probability)) : 0;
        ASSERT_EQ(mask[i], factor) << i;
        ASSERT_EQ(y[i], x[i] * factor) << i;
        ASSERT_EQ(dx[i], Real{0.5} + x[i] * factor) << i;
        ASSERT_EQ(sum[i], dx[i] + x[i] * factor) << i;
      }
      EXPECT_EQ(y.back(), 7);
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
