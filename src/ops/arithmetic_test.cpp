#include "ops/arithmetic.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

class Arithmetic : public testing::Test {
 protected:
  Arena arena_;
  Scope scope_{arena_};
  Rng rng_{11};
};

TEST_F(Arithmetic, MatchesHandValues) {
  const Var a = scope_.constant(Tensor::of({2, 2}, {1, 2, 3, 4}));
  const Var b = scope_.constant(Tensor::of({2, 2}, {5, 6, -7, 0}));
  const Var bias = scope_.constant(Tensor::of({2}, {10, 20}));
  EXPECT_EQ(values(add(a, b)), (std::vector<Real>{6, 8, -4, 4}));
  EXPECT_EQ(values(multiply(a, b)), (std::vector<Real>{5, 12, -21, 0}));
  EXPECT_EQ(values(scale(a, -2)), (std::vector<Real>{-2, -4, -6, -8}));
  EXPECT_EQ(values(add_bias(a, bias)), (std::vector<Real>{11, 22, 13, 24}));
}

TEST_F(Arithmetic, TakesTensorsWithoutRowsAndScalars) {
  const Var none = scope_.constant(Tensor::zeros({0, 3}));
  EXPECT_EQ(add(none, none).shape(), (Shape{0, 3}));
  EXPECT_EQ(add_bias(none, scope_.constant(Tensor::zeros({3}))).shape(), (Shape{0, 3}));
  const Var scalar = scope_.constant(Tensor::of({}, {3}));
  EXPECT_EQ(multiply(scalar, scalar).value().item(), 9);
}

TEST_F(Arithmetic, HasTheRightJacobians) {
  const std::vector<Tensor> two{random_tensor(rng_, {3, 5}), random_tensor(rng_, {3, 5})};
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return add(in[0], in[1]); }, two), "");
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return multiply(in[0], in[1]); }, two), "");
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return scale(in[0], Real{-0.7}); }, two), "");
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return add_bias(in[0], in[1]); },
                              {random_tensor(rng_, {2, 2, 5}), random_tensor(rng_, {5})}),
            "");
}

TEST_F(Arithmetic, AccumulatesWhereAnInputIsUsedTwice) {
  const std::vector<Tensor> one{random_tensor(rng_, {1, 5})};
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return add(in[0], in[0]); }, one), "");
  EXPECT_EQ(jacobian_mismatch(
                [](Scope&, const Inputs& in) { return add(multiply(in[0], in[0]), scale(in[0], Real{0.5})); }, one),
            "");
  EXPECT_EQ(
      jacobian_mismatch([](Scope&, const Inputs& in) { return add_bias(in[0], in[0]); }, {random_tensor(rng_, {5})}),
      "");
}

TEST_F(Arithmetic, PassesOverConstants) {
  const Tensor held = random_tensor(rng_, {2, 3}), bias = random_tensor(rng_, {3});
  const std::vector<Tensor> one{random_tensor(rng_, {2, 3})};
  EXPECT_EQ(jacobian_mismatch([&](Scope& s, const Inputs& in) { return multiply(s.constant(held), in[0]); }, one), "");
  EXPECT_EQ(jacobian_mismatch([&](Scope& s, const Inputs& in) { return add(in[0], s.constant(held)); }, one), "");
  EXPECT_EQ(jacobian_mismatch([&](Scope& s, const Inputs& in) { return add_bias(in[0], s.constant(bias)); }, one), "");
}

TEST_F(Arithmetic, NamesTheShapesThatDoNotFit) {
  const Var a = scope_.constant(Tensor::zeros({2, 3})), b = scope_.constant(Tensor::zeros({3, 2}));
  EXPECT_EQ(thrown<ShapeError>([&] { add(a, b); }), "add: b is [3,2], expected [2,3]");
  EXPECT_EQ(thrown<ShapeError>([&] { multiply(a, b); }), "multiply: b is [3,2], expected [2,3]");
  EXPECT_EQ(thrown<ShapeError>([&] { add_bias(a, b); }), "add_bias: b is [3,2], expected [3]");
}

}  // namespace
}  // namespace dhyan
