#include "kernels/elementwise/updates.h"

#include <cmath>
#include <gtest/gtest.h>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

// Weights, gradient and two states of one length; the states are not negative.
struct Problem {
  std::vector<Real> w, g, first, second;

  Problem(Rng& rng, Index n)
      : w(random_values(rng, n)),
        g(random_values(rng, n)),
        first(random_values(rng, n, 0.1, 1)),
        second(random_values(rng, n, 0.1, 1)) {}
};

// Compares `fast` on whole arrays with `simple(w, g, first, second)` on each element, on every target.
template <class Fast, class Simple>
void expect_same(const Fast& fast, const Simple& simple) {
  on_every_target([&] {
    Rng rng(5);
    for (const Index n : kLengths) {
      Problem actual(rng, n);
      const Problem before = actual;
      fast(actual);
      for (std::size_t i = 0; i < actual.w.size(); ++i) {
        double w = before.w[i], first = before.first[i], second = before.second[i];
        simple(w, before.g[i], first, second);
        EXPECT_NEAR(actual.w[i], w, kTolerance) << n << " " << i;
        EXPECT_NEAR(actual.first[i], first, kTolerance) << n << " " << i;
        EXPECT_NEAR(actual.second[i], second, kTolerance) << n << " " << i;
      }
    }
  });
}

TEST(Updates, SgdMovesAgainstTheGradient) {
  const SgdStep step{.rate = 0.1, .weight_decay = 0.01};
  expect_same([&](Problem& p) { sgd(p.w, p.g, step); },
              [](double& w, double g, double&, double&) { w -= 0.1 * (g + 0.01 * w); });
}

TEST(Updates, SgdKeepsItsVelocity) {
  const SgdStep step{.rate = 0.1, .weight_decay = 0.01, .momentum = 0.9};
  expect_same([&](Problem& p) { sgd_with_momentum(p.w, p.g, p.first, step); },
              [](double& w, double g, double& b, double&) {
                b = 0.9 * b + g + 0.01 * w;
                w -= 0.1 * b;
              });
}

TEST(Updates, AdadeltaScalesByItsOwnMoves) {
  const AdadeltaStep step{.rate = 0.5, .weight_decay = 0.01, .rho = 0.9, .epsilon = 1e-3};
  expect_same([&](Problem& p) { adadelta(p.w, p.g, p.first, p.second, step); },
              [](double& w, double g, double& s, double& a) {
                g += 0.01 * w;
                s = 0.9 * s + 0.1 * g * g;
                const double d = g * std::sqrt(a + 1e-3) / std::sqrt(s + 1e-3);
                a = 0.9 * a + 0.1 * d * d;
                w -= 0.5 * d;
              });
}

TEST(Updates, AdamCorrectsItsMoments) {
  const AdamStep step{.rate = 0.1,
                      .weight_decay = 0.01,
                      .shrink = 0.98,
                      .beta1 = 0.9,
                      .beta2 = 0.99,
                      .epsilon = 1e-3,
                      .correction1 = 0.3,
                      .correction2 = 0.2};
  expect_same([&](Problem& p) { adam(p.w, p.g, p.first, p.second, step); },
              [](double& w, double g, double& m, double& v) {
                g += 0.01 * w;
                m = 0.9 * m + 0.1 * g;
                v = 0.99 * v + 0.01 * g * g;
                w = 0.98 * w - 0.1 * (m / 0.3) / (std::sqrt(v / 0.2) + 1e-3);
              });
}

TEST(Updates, MovingAverageApproachesTheWeightsAndStaysIfItEqualsThem) {
  expect_same([&](Problem& p) { ema_update(p.first, p.w, 0.1); },
              [](double& w, double, double& a, double&) { a += 0.1 * (w - a); });
  std::vector<Real> same{Real(0.1), Real(-0.3), Real(1e-7)};
  const std::vector<Real> before = same;
  ema_update(same, before, 0.001);
  EXPECT_EQ(same, before);
}

}  // namespace
}  // namespace dhyan::kernels
