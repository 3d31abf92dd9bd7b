#include "ops/activations.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

constexpr double kTolerance = sizeof(Real) == 8 ? 1e-13 : 1e-6;

struct Case {
  const char* name;
  Var (*op)(const Var&);
  double at_one, at_minus_two;  // computed by hand; the value at 0 is below
  double at_zero = 0;
};

const Case kCases[] = {
    {"tanh", tanh, 0.7615941559557649, -0.9640275800758169},
    {"sigmoid", sigmoid, 0.7310585786300049, 0.11920292202211755, 0.5},
    {"relu", relu, 1, 0},
    {"relu6", relu6, 1, 0},
    {"gelu", gelu, 0.8411919906082767, -0.04540230591222498},
    {"gelu_erf", gelu_erf, 0.8413447460685429, -0.0455002638963584},
    {"swish", swish, 0.7310585786300049, -0.2384058440442351},
    {"gelu_sigmoid", gelu_sigmoid, 0.8457957659328212, -0.06434137685579186},
};

TEST(Activations, MatchHandValues) {
  Arena arena;
  Scope scope(arena);
  for (const Case& c : kCases) {
    const Var y = c.op(scope.constant(Tensor::of({3}, {0, 1, -2})));
    EXPECT_EQ(y.value().data()[0], static_cast<Real>(c.at_zero)) << c.name;
    EXPECT_NEAR(y.value().data()[1], c.at_one, kTolerance) << c.name;
    EXPECT_NEAR(y.value().data()[2], c.at_minus_two, kTolerance) << c.name;
  }
}

TEST(Activations, HaveTheRightJacobians) {
  Rng rng(1);
  const Tensor x = random_tensor(rng, {3, 7}, -2, 2);
  for (Real& v : x.span()) v += v < 0 ? Real{-0.1} : Real{0.1};  // away from the kink of relu
  for (const Case& c : kCases) {
    EXPECT_EQ(jacobian_mismatch([&c](Scope&, const Inputs& in) { return c.op(in[0]); }, {x}), "") << c.name;
    EXPECT_EQ(jacobian_mismatch([&c](Scope&, const Inputs& in) { return add(c.op(in[0]), c.op(in[0])); }, {x}), "")
        << c.name << " of an input used twice";
  }
}

TEST(Activations, TakeTensorsWithoutRows) {
  Arena arena;
  Scope scope(arena);
  for (const Case& c : kCases) EXPECT_EQ(c.op(scope.constant(Tensor::zeros({0, 4}))).shape(), (Shape{0, 4})) << c.name;
}

TEST(Maxout, TakesTheLargestOfNeighbouringColumns) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({2, 4}, {1, 5, -2, -3, 4, 4, 0, 9}));
  const Var y = maxout(x, 2);
  EXPECT_EQ(y.shape(), (Shape{2, 2}));
  EXPECT_EQ((std::vector<Real>{5, -2, 4, 9}), std::vector<Real>(y.value().span().begin(), y.value().span().end()));
  EXPECT_EQ(maxout(x, 4).shape(), (Shape{2, 1}));
  EXPECT_EQ(maxout(scope.constant(Tensor::zeros({0, 4})), 2).shape(), (Shape{0, 2}));
}

TEST(Maxout, HasTheRightJacobian) {
  const Tensor x = Tensor::of({2, 6}, {0, 1, 2, -1, -2, -3, Real{0.5}, 2, Real{-0.5}, 3, 1, 4});
  for (const Index pool : {1, 2, 3, 6}) {
    EXPECT_EQ(jacobian_mismatch([pool](Scope&, const Inputs& in) { return maxout(in[0], pool); }, {x}), "") << pool;
  }
}

TEST(Maxout, NamesTheShapeThatDoesNotFit) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({2, 5}));
  EXPECT_EQ(thrown<ShapeError>([&] { maxout(x, 2); }), "maxout: x is [2,5], expected columns in groups of 2");
  EXPECT_EQ(thrown<ShapeError>([&] { maxout(x, 0); }), "maxout: x is [2,5], expected columns in groups of 0");
}

}  // namespace
}  // namespace dhyan
