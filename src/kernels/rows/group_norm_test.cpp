#include "kernels/rows/group_norm.h"

#include <cmath>
#include <gtest/gtest.h>

#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

// In double, by the equations.
struct PlainGroupNorm {
  std::vector<double> y, dx, dgain, dbias;

  PlainGroupNorm(const std::vector<Real>& x, const Groups& of, const std::vector<Real>& gain,
                 const std::vector<Real>& bias, const std::vector<Real>& dy, double epsilon)
      : y(x.size()), dx(x.size(), 1), dgain(gain.size(), 1), dbias(gain.size(), 1) {
    const auto C = static_cast<Index>(gain.size()), width = C / of.groups;
    for (Index p = 0; p < static_cast<Index>(x.size()) / C / of.cells; ++p) {
      for (Index g = 0; g < of.groups; ++g) {
        const auto each = [&](const auto& f) {
          for (Index r = 0; r < of.cells; ++r) {
            for (Index c = g * width; c < (g + 1) * width; ++c)
              f(static_cast<std::size_t>((p * of.cells + r) * C + c), static_cast<std::size_t>(c));
          }
        };
        const auto count = static_cast<double>(of.cells * width);
        double mean = 0, variance = 0, mean_g = 0, mean_gn = 0;
        each([&](std::size_t i, std::size_t) { mean += x[i] / count; });
        each([&](std::size_t i, std::size_t) { variance += (x[i] - mean) * (x[i] - mean) / count; });
        const double s = std::sqrt(variance + epsilon);
        each([&](std::size_t i, std::size_t c) {
          const double n = (x[i] - mean) / s;
          y[i] = n * gain[c] + bias[c];
          mean_g += double{dy[i]} * gain[c] / count;
          mean_gn += double{dy[i]} * gain[c] * n / count;
          dgain[c] += dy[i] * n;
          dbias[c] += dy[i];
        });
        each([&](std::size_t i, std::size_t c) {
          dx[i] += (double{dy[i]} * gain[c] - mean_g - (x[i] - mean) / s * mean_gn) / s;
        });
      }
    }
  }
};

TEST(GroupNormKernels, EqualPlainLoops) {
  on_every_target([] {
    Rng rng(6);
    constexpr double kNear = sizeof(Real) == 8 ? 1e-11 : 5e-5;
    for (const auto& [cells, groups, C] :
         std::vector<std::array<Index, 3>>{{1, 1, 4}, {5, 2, 6}, {9, 3, 33}, {4, 8, 64}, {6, 1, 17}}) {
      std::vector<Real> x = random_values(rng, 2 * cells * C), dy = random_values(rng, 2 * cells * C, -1, 1);
      const std::vector<Real> gain = random_values(rng, C, -2, 2), bias = random_values(rng, C);
      const Real epsilon = Real(0.1);
      const Groups of{cells, groups};
      std::vector<Real> y(x.size()), dx(x.size(), 1), dgain(gain.size(), 1), dbias(gain.size(), 1);
      std::vector<Real> mean(static_cast<std::size_t>(2 * groups)), inverse(mean.size());
      const PlainGroupNorm plain(x, of, gain, bias, dy, epsilon);
      group_norm_rows(matrix_of(x, C), of, {gain, bias, epsilon}, matrix_of(y, C), {mean, inverse});
      expect_near(y, plain.y, kNear);
      group_norm_rows_backward(matrix_of(x, C), of, {mean, inverse}, gain, matrix_of(dy, C),
                               {matrix_of(dx, C), matrix_of(dgain, C), matrix_of(dbias, C)});
      expect_near(dx, plain.dx, kNear);
      expect_near(dgain, plain.dgain, kNear);
      expect_near(dbias, plain.dbias, kNear);
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
