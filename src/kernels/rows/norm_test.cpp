#include "kernels/rows/norm.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/rng.h"
#include "core/testing/not_finite.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

constexpr double kNormTolerance = sizeof(Real) == 8 ? 1e-11 : 2e-5;
constexpr Real kEpsilon = 1e-3;

Matrix as_rows(std::vector<Real>& values, Index rows) {
  const Index cols = std::ssize(values) / rows;
  return {values.data(), rows, cols, cols};
}

double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

// A norm and its gradients, added to 1, in double, by the papers' equations.
struct Plain {
  std::vector<double> y, dx, dgain, dbias;

  Plain(const std::vector<Real>& x, const std::vector<Real>& gain, const std::vector<Real>& bias,
        const std::vector<Real>& dy)
      : dgain(gain.size(), 1), dbias(gain.size(), 1) {
    const std::size_t H = gain.size();
    const bool centred = !bias.empty();
    for (std::size_t at = 0; at < x.size(); at += H) {
      std::vector<double> row(x.begin() + static_cast<Index>(at), x.begin() + static_cast<Index>(at + H));
      const double mean = centred ? mean_of(row) : 0;
      std::vector<double> square, n, g, gn;
      for (const double v : row) square.push_back((v - mean) * (v - mean));
      const double deviation = std::sqrt(mean_of(square) + double{kEpsilon});
      for (std::size_t j = 0; j < H; ++j) {
        n.push_back((row[j] - mean) / deviation);
        y.push_back(n[j] * gain[j] + (centred ? bias[j] : 0));
        g.push_back(double{dy[at + j]} * gain[j]);
        gn.push_back(g[j] * n[j]);
        dgain[j] += dy[at + j] * n[j];
        dbias[j] += dy[at + j];
      }
      for (std::size_t j = 0; j < H; ++j) {
        dx.push_back(1 + (g[j] - (centred ? mean_of(g) : 0) - n[j] * mean_of(gn)) / deviation);
      }
    }
  }
};

TEST(NormKernels, EqualPlainCodeForEveryWidthAndOnEveryTarget) {
  on_every_target([] {
    Rng rng(1);
    constexpr Index kRows = 3;
    for (Index H = 1; H <= 40; ++H) {
      SCOPED_TRACE(H);
      std::vector<Real> x = random_values(rng, kRows * H, -2, 2), dy = random_values(rng, kRows * H, -2, 2),
                        y(x.size()), dx(x.size(), 1);
      const std::vector<Real> gain = random_values(rng, H, -2, 2), bias = random_values(rng, H, -2, 2);
      std::vector<Real> dgain(gain.size(), 1), dbias(gain.size(), 1), mean(kRows), inverse(kRows);
      const NormGradients into{as_rows(dx, kRows), as_rows(dgain, 1), as_rows(dbias, 1)};

      layer_norm_rows(as_rows(x, kRows), {gain, bias, kEpsilon}, as_rows(y, kRows), {mean, inverse});
      norm_rows_backward(as_rows(x, kRows), {mean, inverse}, gain, as_rows(dy, kRows), into);
      const Plain layer(x, gain, bias, dy);
      expect_near(y, layer.y, kNormTolerance);
      expect_near(dx, layer.dx, kNormTolerance);
      expect_near(dgain, layer.dgain, kNormTolerance);
      expect_near(dbias, layer.dbias, kNormTolerance);

      dx.assign(dx.size(), 1);
      dgain.assign(dgain.size(), 1);
      rms_norm_rows(as_rows(x, kRows), {gain, {}, kEpsilon}, as_rows(y, kRows), {{}, inverse});
      norm_rows_backward(as_rows(x, kRows), {{}, inverse}, gain, as_rows(dy, kRows), {into.x, into.gain, {}});
      const Plain rms(x, gain, {}, dy);
      expect_near(y, rms.y, kNormTolerance);
      expect_near(dx, rms.dx, kNormTolerance);
      expect_near(dgain, rms.dgain, kNormTolerance);
    }
  });
}

constexpr Index kWidths[] = {5, 16, 33, 128, 256};
constexpr Index kManyRows = 19;  // two whole blocks and a rest

TEST(NormKernels, GiveTheBytesOfTheirStepsRowByRow) {
  on_every_target([] {
    Rng rng(1);
    for (const Index H : kWidths) {
      SCOPED_TRACE(H);
      std::vector<Real> x = random_values(rng, kManyRows * H, -2, 3), y(x.size()), mean(kManyRows), inverse(kManyRows);
      const std::vector<Real> ones(static_cast<std::size_t>(H), 1), zeros(static_cast<std::size_t>(H), 0);
      layer_norm_rows(as_rows(x, kManyRows), {ones, zeros, kEpsilon}, as_rows(y, kManyRows), {mean, inverse});
      for (std::size_t r = 0; r < kManyRows; ++r) {
        const auto begin = static_cast<Index>(r) * H;
        std::vector<Real> row(x.begin() + begin, x.begin() + begin + H), expected(row.size()), sum(1), root(1);
        row_sums(as_rows(row, 1), sum);
        for (Real& v : row) v -= sum[0] / static_cast<Real>(H);
        rms_norm_rows(as_rows(row, 1), {ones, {}, kEpsilon}, as_rows(expected, 1), {{}, root});
        EXPECT_EQ(mean[r], sum[0] / static_cast<Real>(H));
        EXPECT_EQ(inverse[r], root[0]);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), y.begin() + begin));
      }
    }
  });
}

TEST(NormKernels, GiveTheBytesOfAddAndNormIfFused) {
  on_every_target([] {
    Rng rng(1);
    for (const Index H : kWidths) {
      SCOPED_TRACE(H);
      std::vector<Real> a = random_values(rng, kManyRows * H, -2, 2), b = random_values(rng, kManyRows * H, -2, 2),
                        sum(a.size()), y(a.size()), expected_sum(a.size()), expected(a.size());
      const std::vector<Real> gain = random_values(rng, H, -2, 2), bias = random_values(rng, H, -2, 2);
      const NormWeights weights{gain, bias, kEpsilon};
      add_layer_norm_rows(as_rows(a, kManyRows), as_rows(b, kManyRows), weights, as_rows(sum, kManyRows),
                          as_rows(y, kManyRows));
      add(a, b, expected_sum);
      layer_norm_rows(as_rows(expected_sum, kManyRows), weights, as_rows(expected, kManyRows), {});
      EXPECT_EQ(sum, expected_sum);
      EXPECT_EQ(y, expected);
    }
  });
}

TEST(NormKernels, DoNotLoseASmallVarianceNextToALargeMean) {
  on_every_target([] {
    const std::vector<Real> gain(4, 1), bias(4, 0);
    std::vector<Real> x{4096, 4097, 4096, 4097}, y(4), mean(1), inverse(1);
    layer_norm_rows(as_rows(x, 1), {gain, bias, 0}, as_rows(y, 1), {mean, inverse});
    EXPECT_EQ(y, (std::vector<Real>{-1, 1, -1, 1}));
  });
}

TEST(NormKernels, PropagateNan) {
  on_every_target([] {
    const std::vector<Real> gain(19, 1), bias(19, 0);
    std::vector<Real> x(19, 1), y(19), mean(1), inverse(1);
    x[18] = kNan;
    layer_norm_rows(as_rows(x, 1), {gain, bias, kEpsilon}, as_rows(y, 1), {mean, inverse});
    for (const Real v : y) EXPECT_TRUE(std::isnan(v));
    rms_norm_rows(as_rows(x, 1), {gain, {}, kEpsilon}, as_rows(y, 1), {{}, inverse});
    for (const Real v : y) EXPECT_TRUE(std::isnan(v));
  });
}

}  // namespace
}  // namespace dhyan::kernels
