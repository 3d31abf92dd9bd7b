#include "kernels/rows/softmax.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "core/rng.h"
#include "core/testing/not_finite.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

// The definition, in double.
std::vector<double> log_softmax_by_definition(const std::vector<Real>& x) {
  double sum = 0;
  for (const Real v : x) sum += std::exp(double{v});
  std::vector<double> y;
  for (const Real v : x) y.push_back(double{v} - std::log(sum));
  return y;
}

TEST(SoftmaxKernel, EqualsTheDefinitionForEveryWidthAndOnEveryTarget) {
  on_every_target([] {
    Rng rng(1);
    for (Index n = 1; n <= 40; ++n) {
      const std::vector<Real> x = random_values(rng, n, -5, 5);
      std::vector<Real> y(x.size()), log_y(x.size());
      softmax_rows({x.data(), 1, n, n}, {y.data(), 1, n, n});
      log_softmax_rows({x.data(), 1, n, n}, {log_y.data(), 1, n, n});
      const std::vector<double> expected = log_softmax_by_definition(x);
      for (std::size_t j = 0; j < x.size(); ++j) {
        EXPECT_NEAR(y[j], std::exp(expected[j]), 1e-6) << n;
        EXPECT_NEAR(log_y[j], expected[j], 4e-6) << n;
      }
    }
  });
}

TEST(SoftmaxKernel, WritesOnlyItsColumnsAndWorksInPlace) {
  on_every_target([] {
    std::vector<Real> x{0, 0, 0, 7, 0, 0, 0, 8};
    softmax_rows({x.data(), 2, 3, 4}, {x.data(), 2, 3, 4});
    for (const std::size_t j : {0u, 1u, 2u, 4u, 5u, 6u}) EXPECT_NEAR(x[j], 1.0 / 3, 1e-7);
    EXPECT_EQ(x[3], 7);
    EXPECT_EQ(x[7], 8);
  });
}

TEST(SoftmaxKernel, DoesNotOverflowAndIgnoresMinusInfinity) {
  on_every_target([] {
    const std::vector<Real> x{10000, -kInfinity, 10000, -10000};
    std::vector<Real> y(4), log_y(4);
    softmax_rows({x.data(), 1, 4, 4}, {y.data(), 1, 4, 4});
    EXPECT_EQ(y, (std::vector<Real>{0.5, 0, 0.5, 0}));
    log_softmax_rows({x.data(), 1, 4, 4}, {log_y.data(), 1, 4, 4});
    EXPECT_NEAR(log_y[0], std::log(0.5), 1e-6);
    EXPECT_EQ(log_y[1], -kInfinity);
    EXPECT_NEAR(log_y[3], -20000 + std::log(0.5), 1e-2);
  });
}

TEST(SoftmaxKernel, GivesZerosForAFullyMaskedRow) {
  on_every_target([] {
    const std::vector<Real> x(19, -kInfinity);
    std::vector<Real> y(19, 5), log_y(19, 5), dx(19, 1);
    softmax_rows({x.data(), 1, 19, 19}, {y.data(), 1, 19, 19});
    log_softmax_rows({x.data(), 1, 19, 19}, {log_y.data(), 1, 19, 19});
    EXPECT_EQ(y, std::vector<Real>(19, 0));
    EXPECT_EQ(log_y, x);
    const std::vector<Real> dy(19, 3);
    softmax_rows_backward({y.data(), 1, 19, 19}, {dy.data(), 1, 19, 19}, {dx.data(), 1, 19, 19});
    EXPECT_EQ(dx, std::vector<Real>(19, 1));
  });
}

TEST(SoftmaxKernel, PropagatesNan) {
  on_every_target([] {
    for (std::size_t place = 0; place < 21; ++place) {
      std::vector<Real> x(21, place % 2 == 0 ? Real{1} : -kInfinity), y(21), log_y(21);
      x[place] = kNan;
      softmax_rows({x.data(), 1, 21, 21}, {y.data(), 1, 21, 21});
      log_softmax_rows({x.data(), 1, 21, 21}, {log_y.data(), 1, 21, 21});
      for (std::size_t j = 0; j < 21; ++j) {
        EXPECT_TRUE(std::isnan(y[j])) << place << ' ' << j;
        EXPECT_TRUE(std::isnan(log_y[j])) << place << ' ' << j;
      }
    }
  });
}

TEST(SoftmaxKernel, LogSumExpIsWhatLogSoftmaxSubtracts) {
  on_every_target([] {
    Rng rng(3);
    for (Index n = 1; n <= 40; ++n) {
      const std::vector<Real> x = random_values(rng, 2 * n, -5, 5);
      std::vector<double> log_sums(2);
      log_sum_exp_rows({x.data(), 2, n, n}, log_sums);
      for (Index r = 0; r < 2; ++r) {
        const std::vector<Real> row(x.begin() + r * n, x.begin() + (r + 1) * n);
        EXPECT_NEAR(log_sums[static_cast<std::size_t>(r)], row[0] - log_softmax_by_definition(row)[0], 2e-6) << n;
      }
    }
    const std::vector<Real> large{10000, 10000}, none(3, -kInfinity), spoilt{1, kNan};
    double log_sum = 0;
    log_sum_exp_rows({large.data(), 1, 2, 2}, {&log_sum, 1});
    EXPECT_NEAR(log_sum, 10000 + std::log(2), 1e-6);
    log_sum_exp_rows({none.data(), 1, 3, 3}, {&log_sum, 1});
    EXPECT_EQ(log_sum, -std::numeric_limits<double>::infinity());
    log_sum_exp_rows({spoilt.data(), 1, 2, 2}, {&log_sum, 1});
    EXPECT_TRUE(std::isnan(log_sum));
  });
}

TEST(SoftmaxKernel, BackwardAddsTheDerivativeForEveryWidthAndOnEveryTarget) {
  on_every_target([] {
    Rng rng(2);
    for (Index n = 1; n <= 40; ++n) {
      const std::vector<Real> x = random_values(rng, n, -2, 2), dy = random_values(rng, n, -1, 1);
      std::vector<Real> y(x.size()), log_y(x.size()), dx(x.size(), 10), log_dx(x.size(), 10);
      const ConstMatrix given{dy.data(), 1, n, n};
      softmax_rows({x.data(), 1, n, n}, {y.data(), 1, n, n});
      softmax_rows_backward({y.data(), 1, n, n}, given, {dx.data(), 1, n, n});
      log_softmax_rows({x.data(), 1, n, n}, {log_y.data(), 1, n, n});
      log_softmax_rows_backward({log_y.data(), 1, n, n}, given, {log_dx.data(), 1, n, n});
      const std::vector<double> log_p = log_softmax_by_definition(x);
      double mean = 0, total = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        mean += std::exp(log_p[k]) * dy[k];
        total += dy[k];
      }
      for (std::size_t j = 0; j < x.size(); ++j) {
        EXPECT_NEAR(dx[j], 10 + std::exp(log_p[j]) * (dy[j] - mean), 3e-6) << n;
        EXPECT_NEAR(log_dx[j], 10 + dy[j] - std::exp(log_p[j]) * total, 3e-6) << n;
      }
    }
  });
}

TEST(SoftmaxKernel, DoesNothingWithoutRowsOrColumns) {
  Real kept = 3;
  softmax_rows({&kept, 0, 4, 4}, {&kept, 0, 4, 4});
  softmax_rows({&kept, 2, 0, 0}, {&kept, 2, 0, 0});
  log_softmax_rows({&kept, 2, 0, 0}, {&kept, 2, 0, 0});
  softmax_rows_backward({&kept, 2, 0, 0}, {&kept, 2, 0, 0}, {&kept, 2, 0, 0});
  log_softmax_rows_backward({&kept, 2, 0, 0}, {&kept, 2, 0, 0}, {&kept, 2, 0, 0});
  EXPECT_EQ(kept, 3);
}

}  // namespace
}  // namespace dhyan::kernels
