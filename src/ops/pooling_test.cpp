#include "ops/pooling.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

// Values that are far apart, so that no other one becomes the largest.
Tensor apart(Index rows, Index cols) {
  const Tensor x = Tensor::zeros({rows, cols});
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<Real>(i * 7 % x.size());
  return x;
}

TEST(Pool2d, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({6, 1}, {1, 5, 2, 3, 4, 9}));  // 2 x 3
  EXPECT_EQ(values(max_pool2d(x, {2, 3}, {.kernel = 2, .stride = 2})), (std::vector<Real>{5, 9}));
  EXPECT_EQ(values(mean_pool2d(x, {2, 3}, {.kernel = 2, .stride = 2})), (std::vector<Real>{3.25, 5.5}));
  EXPECT_EQ(values(mean_pool2d(x, {2, 3}, {.kernel = 2, .stride = 2, .padding = 0})), (std::vector<Real>{3.25}));
}

TEST(Pool2d, HasTheRightJacobians) {
  for (const WindowOptions& window : {WindowOptions{.kernel = 2, .stride = 2}, WindowOptions{.kernel = 3},
                                      WindowOptions{.kernel = 3, .stride = 2, .padding = 1}}) {
    const GridShape grid{5, 4};
    const auto largest = [&](Scope&, const Inputs& in) { return max_pool2d(in[0], grid, window); };
    const auto mean = [&](Scope&, const Inputs& in) {
      return add(mean_pool2d(in[0], grid, window), mean_pool2d(in[0], grid, window));
    };
    EXPECT_EQ(jacobian_mismatch(largest, {apart(2 * grid.cells(), 3)}), "");
    EXPECT_EQ(jacobian_mismatch(mean, {apart(2 * grid.cells(), 3)}), "");
  }
}

TEST(Pool2d, NamesTheShapeThatDoesNotFit) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({5, 2}));
  EXPECT_EQ(thrown<ShapeError>([&] {
              max_pool2d(x, {2, 2}, {});
            }),
            "max_pool2d: x is [5,2], expected rows of grids of 2x2");
  EXPECT_EQ(thrown<ShapeError>([&] {
              mean_pool2d(x, {2, 2}, {});
            }),
            "mean_pool2d: x is [5,2], expected rows of grids of 2x2");
}

}  // namespace
}  // namespace dhyan
