#include "kernels/convolution/pooling.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/testing/naive_windows.h"
#include "kernels/testing/on_every_target.h"
#include "kernels/testing/random_values.h"

namespace dhyan::kernels {
namespace {

TEST(Pooling, EqualsPlainLoopsForwardAndBackward) {
  on_every_target([] {
    Rng rng(5);
    for (const Windows& w : sample_windows()) {
      for (const Index C : {1, 9, 33}) {
        std::vector<Real> x = random_values(rng, w.pictures * w.in.cells() * C), dy = random_values(rng, w.rows() * C);
        const auto column = [&](Index row, Index c) { return static_cast<std::size_t>(row * C + c); };
        std::vector<double> largest(dy.size(), -1e9), mean(dy.size()), count(dy.size()), dx_max(x.size(), 1),
            dx_mean(x.size(), 1);
        std::vector<std::size_t> where(dy.size());
        each_tap(w, [&](Index window, Index, Index cell) {
          for (Index c = 0; c < C; ++c) {
            const std::size_t to = column(window, c), from = column(cell, c);
            if (x[from] > largest[to]) largest[to] = x[from], where[to] = from;
            mean[to] += x[from], ++count[to];
          }
        });
        for (std::size_t i = 0; i < dy.size(); ++i) mean[i] /= count[i], dx_max[where[i]] += dy[i];
        each_tap(w, [&](Index window, Index, Index cell) {
          for (Index c = 0; c < C; ++c) dx_mean[column(cell, c)] += dy[column(window, c)] / count[column(window, c)];
        });
        std::vector<Real> y(dy.size()), dx(x.size(), 1);
        max_pool(matrix_of(x, C), w, matrix_of(y, C));
        expect_near(y, largest, 0);
        max_pool_backward(matrix_of(x, C), w, matrix_of(y, C), matrix_of(dy, C), matrix_of(dx, C));
        expect_near(dx, dx_max, 4 * kTolerance);
        std::ranges::fill(dx, 1);
        mean_pool(matrix_of(x, C), w, matrix_of(y, C));
        expect_near(y, mean, 4 * kTolerance);
        mean_pool_backward(matrix_of(dy, C), w, matrix_of(dx, C));
        expect_near(dx, dx_mean, 4 * kTolerance);
      }
    }
  });
}

TEST(Pooling, PassesTheGradientOfEqualCellsToTheFirst) {
  std::vector<Real> x{2, 2, 1, 2}, y(1), dy{5}, dx(4);
  const Windows w{{2, 2}, {1, 1}, 1, 2, 2, 0, 0};
  max_pool(matrix_of(x, 1), w, matrix_of(y, 1));
  max_pool_backward(matrix_of(x, 1), w, matrix_of(y, 1), matrix_of(dy, 1), matrix_of(dx, 1));
  EXPECT_EQ(dx, (std::vector<Real>{5, 0, 0, 0}));
}

TEST(Pooling, KeepsNan) {
  on_every_target([] {
    for (const std::size_t place : {0u, 1u, 3u}) {
      std::vector<Real> x{2, 9, 1, 3}, y(1);
      x[place] = std::numeric_limits<Real>::quiet_NaN();
      max_pool(matrix_of(x, 1), {{2, 2}, {1, 1}, 1, 2, 2, 0, 0}, matrix_of(y, 1));
      EXPECT_TRUE(std::isnan(y[0])) << place;
    }
  });
}

}  // namespace
}  // namespace dhyan::kernels
