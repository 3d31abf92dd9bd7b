#include "kernels/rows/unit_norm.h"

#include <cmath>
#include <gtest/gtest.h>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

using Values = std::vector<Real>;

constexpr double kUnitNormTolerance = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr Real kUnitNormEpsilon = 1e-3;
constexpr Index kRows = 4;  // strengths 0, 1, 0, 1

TEST(UnitNorm, EqualsPlainLoopsForwardAndBackwardOnEveryTarget) {
  on_every_target([] {
    for (const Index K : kLengths) {
      if (K == 0) continue;
      SCOPED_TRACE(K);
      Rng rng(3);
      Values x = random_values(rng, kRows * K), dy = random_values(rng, kRows * K);
      Values y(x.size()), inverse(kRows), dx(x.size(), 0.5), dstrength(2, 0.5);
      const Values strength{2, -3};
      unit_norm_rows(matrix_of(x, K), {strength, kUnitNormEpsilon}, matrix_of(y, K), inverse);
      unit_norm_rows_backward(matrix_of(x, K), strength, inverse, matrix_of(dy, K),
                              {matrix_of(dx, K), matrix_of(dstrength, 2)});
      double expected_dstrength[] = {0.5, 0.5};
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto at = [&](Index j) { return r * static_cast<std::size_t>(K) + static_cast<std::size_t>(j); };
        double square = 0, along = 0;
        for (Index j = 0; j < K; ++j) square += double{x[at(j)]} * x[at(j)];
        const double length = std::sqrt(square + double{kUnitNormEpsilon}), beta = strength[r % 2];
        for (Index j = 0; j < K; ++j) along += x[at(j)] / length * dy[at(j)];
        expected_dstrength[r % 2] += along;
        for (Index j = 0; j < K; ++j) {
          const double u = x[at(j)] / length;
          EXPECT_NEAR(y[at(j)], beta * u, kUnitNormTolerance);
          EXPECT_NEAR(dx[at(j)], 0.5 + beta * (dy[at(j)] - u * along) / length, 10 * kUnitNormTolerance);
        }
      }
      for (std::size_t n = 0; n < 2; ++n) EXPECT_NEAR(dstrength[n], expected_dstrength[n], 10 * kUnitNormTolerance);
    }
  });
}

TEST(UnitNorm, SkipsGradientsWithoutData) {
  Values x{3, 4}, dy{1, 0}, inverse{Real{0.2}}, dx(2), dstrength(1);
  const Values strength{5};
  unit_norm_rows_backward(matrix_of(x, 2), strength, inverse, matrix_of(dy, 2), {matrix_of(dx, 2), {}});
  EXPECT_NEAR(dx[0], 1 - 0.36, 1e-6);  // (dy - u (u·dy)) with u = .6, .8
  EXPECT_NEAR(dx[1], -0.48, 1e-6);
  unit_norm_rows_backward(matrix_of(x, 2), strength, inverse, matrix_of(dy, 2), {{}, matrix_of(dstrength, 1)});
  EXPECT_NEAR(dstrength[0], 0.6, 1e-6);
}

}  // namespace
}  // namespace dhyan::kernels
