#include "kernels/loss/rdrop_cross_entropy.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "core/rng.h"
#include "kernels/testing/on_every_target.h"

namespace dhyan::kernels {
namespace {

std::vector<double> softmax_in_double(const std::vector<Real>& z) {
  std::vector<double> p;
  double sum = 0;
  for (const Real x : z) sum += std::exp(double{x});
  for (const Real x : z) p.push_back(std::exp(double{x}) / sum);
  return p;
}

double kl(const std::vector<double>& p, const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t v = 0; v < p.size(); ++v) sum += p[v] * std::log(p[v] / q[v]);
  return sum;
}

TEST(RDropCrossEntropyKernel, EqualsItsDefinitionOnRowsOfEveryLength) {
  constexpr double kAlpha = 3;
  on_every_target([] {
    Rng rng(3);
    for (const std::size_t n : {1, 2, 3, 7, 16, 17, 63, 100}) {
      for (const double smoothing : {0.0, 0.1}) {
        std::vector<Real> a(n), b(n);
        for (Real& x : a) x = static_cast<Real>(rng.uniform(-3, 3));
        for (Real& x : b) x = static_cast<Real>(rng.uniform(-3, 3));
        const std::vector<double> p = softmax_in_double(a), q = softmax_in_double(b);
        const RowId target = static_cast<RowId>(rng.below(n));
        const auto wanted = [&](std::size_t v) {
          return smoothing / static_cast<double>(n) + (static_cast<RowId>(v) == target ? 1 - smoothing : 0);
        };
        double loss = kAlpha * (kl(p, q) + kl(q, p)) / 2;
        for (std::size_t v = 0; v < n; ++v) loss -= wanted(v) * (std::log(p[v]) + std::log(q[v])) / 2;
        const auto at = static_cast<std::size_t>(target);
        const auto cols = static_cast<Index>(n);
        const CrossEntropy got = rdrop_cross_entropy_with_gradient({a.data(), 1, cols, cols}, {b.data(), 1, cols, cols},
                                                                   {&target, 1}, {smoothing, kAlpha});
        EXPECT_NEAR(got.loss, loss, 1e-4);
        EXPECT_NEAR(got.nll, -(std::log(p[at]) + std::log(q[at])) / 2, 1e-5);
        for (std::size_t v = 0; v < n; ++v) {
          const double delta = std::log(p[v] / q[v]);
          const double da = (p[v] - wanted(v)) / 2 + kAlpha / 2 * (p[v] * (delta - kl(p, q)) + p[v] - q[v]);
          const double db = (q[v] - wanted(v)) / 2 + kAlpha / 2 * (q[v] * (-delta - kl(q, p)) + q[v] - p[v]);
          EXPECT_NEAR(a[v], da, 1e-5);
          EXPECT_NEAR(b[v], db, 1e-5);
        }
      }
    }
  });
}

TEST(RDropCrossEntropyKernel, DoesNotOverflowOnLargeLogitsAndPropagatesNan) {
  on_every_target([] {
    const RowId target = 1;
    std::vector<Real> a{10000, 9999, -10000}, b{-10000, 9999, 10000};
    const CrossEntropy large =
        rdrop_cross_entropy_with_gradient({a.data(), 1, 3, 3}, {b.data(), 1, 3, 3}, {&target, 1}, {.alpha = 1});
    EXPECT_TRUE(std::isfinite(large.loss));
    for (const std::vector<Real>& row : {a, b}) {
      for (const Real x : row) EXPECT_TRUE(std::isfinite(x));
    }
    b[2] = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_TRUE(
        std::isnan(rdrop_cross_entropy_with_gradient({a.data(), 1, 3, 3}, {b.data(), 1, 3, 3}, {&target, 1}, {}).loss));
  });
}

}  // namespace
}  // namespace dhyan::kernels
