#include "kernels/loss/cross_entropy.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "core/rng.h"
#include "kernels/testing/on_every_target.h"

namespace dhyan::kernels {
namespace {

// -Σ_v q_v log p_v by the definition, in double.
double by_definition(const std::vector<Real>& z, RowId target, double smoothing) {
  double sum = 0;
  for (const Real x : z) sum += std::exp(double{x});
  double loss = 0;
  for (std::size_t v = 0; v < z.size(); ++v) {
    const double q = smoothing / static_cast<double>(z.size()) + (static_cast<RowId>(v) == target ? 1 - smoothing : 0);
    loss -= q * (z[v] - std::log(sum));
  }
  return loss;
}

TEST(CrossEntropyKernel, EqualsItsDefinitionOnRowsOfEveryLength) {
  on_every_target([] {
    Rng rng(3);
    for (const Index V : {1, 2, 3, 7, 16, 17, 63, 100}) {
      for (const double smoothing : {0.0, 0.1}) {
        std::vector<Real> z(static_cast<std::size_t>(V));
        for (Real& x : z) x = static_cast<Real>(rng.uniform(-3, 3));
        const RowId target = static_cast<RowId>(rng.below(static_cast<std::uint64_t>(V)));
        const double expected = by_definition(z, target, smoothing), nll = by_definition(z, target, 0);
        const CrossEntropy plain = cross_entropy({z.data(), 1, V, V}, {&target, 1}, smoothing);
        EXPECT_NEAR(plain.loss, expected, 1e-5);
        EXPECT_NEAR(plain.nll, nll, 1e-5);
        const CrossEntropy graded = cross_entropy_with_gradient({z.data(), 1, V, V}, {&target, 1}, smoothing);
        EXPECT_NEAR(graded.loss, expected, 1e-5);
        EXPECT_NEAR(graded.nll, nll, 1e-5);
      }
    }
  });
}

TEST(CrossEntropyKernel, GradientIsProbabilityMinusTarget) {
  on_every_target([] {
    std::vector<Real> z{0, static_cast<Real>(std::log(3.0)), 0, 0, 0};  // p = 1/7, 3/7, 1/7 ...
    const RowId target = 1;
    cross_entropy_with_gradient({z.data(), 1, 5, 5}, {&target, 1}, 0.5);
    EXPECT_NEAR(z[0], 1.0 / 7 - 0.1, 1e-6);
    EXPECT_NEAR(z[1], 3.0 / 7 - 0.6, 1e-6);
    EXPECT_NEAR(z[4], 1.0 / 7 - 0.1, 1e-6);
  });
}

TEST(CrossEntropyKernel, DoesNotOverflowOnLargeLogits) {
  on_every_target([] {
    std::vector<Real> z{10000, 9999, -10000};
    const RowId target = 1;
    const CrossEntropy total = cross_entropy_with_gradient({z.data(), 1, 3, 3}, {&target, 1}, 0);
    EXPECT_NEAR(total.nll, 1 + std::log(1 + std::exp(-1.0)), 1e-5);
    for (const Real x : z) EXPECT_TRUE(std::isfinite(x));
  });
}

TEST(CrossEntropyKernel, PropagatesNan) {
  on_every_target([] {
    for (const std::size_t place : {0, 1, 40}) {
      std::vector<Real> z(50, 1);
      z[place] = std::numeric_limits<Real>::quiet_NaN();
      const RowId target = 1;
      EXPECT_TRUE(std::isnan(cross_entropy({z.data(), 1, 50, 50}, {&target, 1}, 0).loss));
      EXPECT_TRUE(std::isnan(cross_entropy_with_gradient({z.data(), 1, 50, 50}, {&target, 1}, 0).loss));
    }
  });
}

TEST(CrossEntropyKernel, IsZeroWithoutRows) {
  EXPECT_EQ(cross_entropy_with_gradient({nullptr, 0, 4, 4}, {}, 0.1).loss, 0);
  EXPECT_EQ(cross_entropy({nullptr, 0, 4, 4}, {}, 0.1).nll, 0);
}

}  // namespace
}  // namespace dhyan::kernels
