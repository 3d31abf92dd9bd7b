#include "ops/softmax.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/not_finite.h"
#include "core/testing/thrown.h"
#include "ops/gates.h"

namespace dhyan {
namespace {

TEST(Softmax, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  // exp of these is 1, 2, 5 and 3, 3, 2.
  const Var x = scope.constant(Tensor::of(
      {2, 3}, {0, static_cast<Real>(std::log(2)), static_cast<Real>(std::log(5)), static_cast<Real>(std::log(3)),
               static_cast<Real>(std::log(3)), static_cast<Real>(std::log(2))}));
  const double expected[] = {0.125, 0.25, 0.625, 0.375, 0.375, 0.25};
  const Var p = softmax(x), l = log_softmax(x);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(p.value().data()[i], expected[i], 1e-6);
    EXPECT_NEAR(l.value().data()[i], std::log(expected[i]), 1e-6);
  }
}

TEST(Softmax, OfTheWorkedSelfAttentionExampleComesOutToFourDecimals) {
  Arena arena;
  Scope scope(arena);
  // Q K^T of the three tokens "the next is".
  const Var p =
      softmax(scope.constant(Tensor::of({3, 3}, {0.83, 0.38, 0.51, 0.19, 1.66, 0.51, 0.51, 1.02, 0.51})));  // [T,T]
  const double expected[] = {.4231, .2697, .3072, .1487, .6466, .2047, .2728, .4543, .2728};
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(p.value().data()[i], expected[i], 5e-5);
}

TEST(Softmax, OfOneClassIsCertain) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({2, 1}, {-40, 3}));
  EXPECT_EQ(softmax(x).value().data()[0], 1);
  EXPECT_EQ(softmax(x).value().data()[1], 1);
  EXPECT_EQ(log_softmax(x).value().data()[0], 0);
}

TEST(Softmax, OfNoRowsHasNoRowsAndAGradient) {
  ParameterSet parameters;
  parameters.add("x", {0, 4});
  GradientSet gradients(parameters);
  Arena arena;
  Tape tape(parameters);
  tape.start(gradients, Rng(1));
  Scope scope(arena, tape);
  const Var y = log_softmax(softmax(scope.parameter(*parameters.begin())));
  EXPECT_EQ(y.shape(), (Shape{0, 4}));
  tape.backward(y, Tensor::zeros({0, 4}));
}

TEST(Softmax, PassesNoGradientThroughAFullyMaskedRow) {
  ParameterSet parameters;
  Parameter& x = parameters.add("x", {2, 2});
  x.value.row(0)[0] = x.value.row(0)[1] = -kInfinity;
  GradientSet gradients(parameters);
  Arena arena;
  Tape tape(parameters);
  tape.start(gradients, Rng(1));
  Scope scope(arena, tape);
  tape.backward(softmax(scope.parameter(x)), Tensor::of({2, 2}, {1, 2, 1, 2}));
  const std::span<Real> dx = gradients[x].value().span();
  EXPECT_EQ(dx[0], 0);
  EXPECT_EQ(dx[1], 0);
  EXPECT_NEAR(dx[2], -0.25, 1e-7);
  EXPECT_NEAR(dx[3], 0.25, 1e-7);
}

TEST(Softmax, HasTheRightJacobian) {
  Rng rng(1);
  const auto f = [](Scope&, const std::vector<Var>& in) { return softmax(in[0]); };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {3, 7}, -2, 2)}), "");
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {2, 1})}), "");
}

TEST(LogSoftmax, HasTheRightJacobian) {
  Rng rng(2);
  const auto f = [](Scope&, const std::vector<Var>& in) { return log_softmax(in[0]); };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {3, 7}, -2, 2)}), "");
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {2, 1})}), "");
}

TEST(Softmax, AddsToTheGradientOfAnInputThatIsUsedTwice) {
  Rng rng(3);
  const auto f = [](Scope&, const std::vector<Var>& in) { return rnn_gates(softmax(in[0]), log_softmax(in[0])); };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {2, 3})}), "");
}

TEST(Softmax, RefusesAScalar) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({}, {1}));
  EXPECT_EQ(thrown<ShapeError>([&] { softmax(x); }), "softmax: x is [], expected rows of at least one axis");
  EXPECT_THROW(log_softmax(x), ShapeError);
}

}  // namespace
}  // namespace dhyan
