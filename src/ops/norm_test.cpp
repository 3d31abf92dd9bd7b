#include "ops/norm.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "autograd/testing/recording.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"
#include "ops/gates.h"

namespace dhyan {
namespace {

using Inputs = std::vector<Var>;

TEST(LayerNorm, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  // Row 1 has mean 3 and variance 4 with epsilon 0: normalised -1, 1, -1, 1. Row 2 has mean 0 and variance 1.
  const Var y = layer_norm(scope.constant(Tensor::of({2, 4}, {1, 5, 1, 5, 1, 1, -1, -1})),
                           scope.constant(Tensor::of({4}, {1, 2, 3, 4})),
                           scope.constant(Tensor::of({4}, {0, 0, 10, 10})), 0);  // [2,4]
  const Real expected[] = {-1, 2, 7, 14, 1, 2, 7, 6};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(y.value().data()[i], expected[i], 1e-6);
}

TEST(LayerNorm, AddsEpsilonToTheVariance) {
  Arena arena;
  Scope scope(arena);
  const Var one = scope.constant(Tensor::of({2}, {1, 1})), none = scope.constant(Tensor::zeros({2}));
  const Var y = layer_norm(scope.constant(Tensor::of({1, 2}, {-1, 1})), one, none, 3);  // [1,2]
  EXPECT_NEAR(y.value().data()[1], 0.5, 1e-7);
  const Var z = layer_norm(scope.constant(Tensor::of({1, 2}, {-0.001, 0.001})), one, none);  // [1,2]
  EXPECT_NEAR(z.value().data()[1], 0.001 / std::sqrt(1e-6 + 1e-5), 1e-6);
}

TEST(AddLayerNorm, GivesTheBytesOfASumAndItsNorm) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({2, 3}, {1, 5, 2, -1, 0.5, 3})),
            y = scope.constant(Tensor::of({2, 3}, {3, -2, 7, 0.25, 1, 1}));  // [2,3]
  const Var gain = scope.constant(Tensor::of({3}, {1, 2, 3})), bias = scope.constant(Tensor::of({3}, {0, 1, -1}));
  const SumAndNorm both = add_layer_norm(x, y, gain, bias);  // [2,3]
  const Var sum = add(x, y), norm = layer_norm(sum, gain, bias);
  EXPECT_TRUE(std::ranges::equal(both.sum.value().span(), sum.value().span()));
  EXPECT_TRUE(std::ranges::equal(both.norm.value().span(), norm.value().span()));
}

TEST(AddLayerNorm, RefusesATapeAndOtherShapes) {
  Recording training;
  Scope scope(training.arena), &recording = training.scope;
  const auto norm_in = [](Scope& in, const Shape& shape) {
    const Var two = in.constant(Tensor::zeros({2}));
    add_layer_norm(in.constant(Tensor::zeros({3, 2})), in.constant(Tensor::zeros(shape)), two, two);
  };
  EXPECT_EQ(thrown<UsageError>([&] {
              norm_in(recording, {3, 2});
            }),
            "add_layer_norm: has no backward, but the scope has a tape");
  EXPECT_EQ(thrown<ShapeError>([&] { norm_in(scope, {2, 2}); }), "add_layer_norm: y is [2,2], expected [3,2]");
}

TEST(RmsNorm, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  // The mean square of 1, 7, 5, 5 is 25.
  const Var y = rms_norm(scope.constant(Tensor::of({1, 4}, {1, 7, -5, 5})),
                         scope.constant(Tensor::of({4}, {5, 10, 1, 0})), 0);  // [1,4]
  const Real expected[] = {1, 14, -1, 0};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(y.value().data()[i], expected[i], 1e-6);
  const Var z = rms_norm(scope.constant(Tensor::of({1, 1}, {0.001})), scope.constant(Tensor::of({1}, {1})));  // [1,1]
  EXPECT_NEAR(z.value().item(), std::sqrt(0.5), 1e-6);
}

TEST(LayerNorm, OfOneColumnIsTheBias) {
  Arena arena;
  Scope scope(arena);
  const Var y = layer_norm(scope.constant(Tensor::of({2, 1}, {5, -3})), scope.constant(Tensor::of({1}, {2})),
                           scope.constant(Tensor::of({1}, {0.5})));  // [2,1]
  EXPECT_EQ(y.value().data()[0], Real{0.5});
  EXPECT_EQ(y.value().data()[1], Real{0.5});
}

TEST(Norms, OfNoRowsHaveNoRowsAndLeaveTheWeightsAlone) {
  ParameterSet parameters;
  const Parameter &x = parameters.add("x", {0, 4}), &gain = parameters.add("gain", {4});
  GradientSet gradients(parameters);
  Arena arena;
  Tape tape(parameters);
  tape.start(gradients, Rng(1));
  Scope scope(arena, tape);
  const Var weight = scope.parameter(gain);
  const Var y = layer_norm(rms_norm(scope.parameter(x), weight), weight, weight);
  EXPECT_EQ(y.shape(), (Shape{0, 4}));
  tape.backward(y, Tensor::zeros({0, 4}));
  for (const Real v : gradients[gain].value().span()) EXPECT_EQ(v, 0);
}

TEST(LayerNorm, HasTheRightJacobian) {
  Rng rng(1);
  const auto f = [](Scope&, const Inputs& in) { return layer_norm(in[0], in[1], in[2]); };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {3, 7}, -2, 2), random_tensor(rng, {7}), random_tensor(rng, {7})}),
            "");
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {2, 1}), random_tensor(rng, {1}), random_tensor(rng, {1})}), "");
}

TEST(RmsNorm, HasTheRightJacobian) {
  Rng rng(2);
  const auto f = [](Scope&, const Inputs& in) { return rms_norm(in[0], in[1]); };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {3, 7}, -2, 2), random_tensor(rng, {7})}), "");
  EXPECT_EQ(jacobian_mismatch(f, {Tensor::of({2, 1}, {2, -1}), random_tensor(rng, {1})}), "");
}

TEST(Norms, AddToTheGradientOfAnInputThatIsUsedTwice) {
  Rng rng(3);
  // x in both norms; one weight is both gains and the bias.
  const auto f = [](Scope&, const Inputs& in) {
    return rnn_gates(layer_norm(in[0], in[1], in[1]), rms_norm(in[0], in[1]));  // [2,5]
  };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {2, 5}, -2, 2), random_tensor(rng, {5})}), "");
}

TEST(Norms, SkipGradientsOfConstants) {
  Rng rng(4);
  const Tensor x = random_tensor(rng, {2, 5}, -2, 2), gain = random_tensor(rng, {5}), bias = random_tensor(rng, {5});
  const auto fixed = [](Scope& scope, const Tensor& value) { return scope.constant(value); };
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope& s, const Inputs& in) { return layer_norm(in[0], fixed(s, gain), fixed(s, bias)); }, {x}),
            "");
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope& s, const Inputs& in) { return layer_norm(fixed(s, x), in[0], fixed(s, bias)); }, {gain}),
            "");
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope& s, const Inputs& in) { return layer_norm(fixed(s, x), fixed(s, gain), in[0]); }, {bias}),
            "");
  EXPECT_EQ(jacobian_mismatch([&](Scope& s, const Inputs& in) { return rms_norm(in[0], fixed(s, gain)); }, {x}), "");
  EXPECT_EQ(jacobian_mismatch([&](Scope& s, const Inputs& in) { return rms_norm(fixed(s, x), in[0]); }, {gain}), "");
}

TEST(Norms, NameTheShapesThatDoNotFit) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&scope](const Shape& shape) { return scope.constant(Tensor::zeros(shape)); };
  EXPECT_EQ(thrown<Error>([&] {
              layer_norm(zeros({2, 3}), zeros({4}), zeros({3}));
            }),
            "layer_norm: gain is [4], expected [3]");
  EXPECT_EQ(thrown<Error>([&] {
              layer_norm(zeros({2, 3}), zeros({3}), zeros({1, 3}));
            }),
            "layer_norm: bias is [1,3], expected [3]");
  EXPECT_EQ(thrown<Error>([&] { rms_norm(zeros({2, 3}), zeros({2})); }), "rms_norm: gain is [2], expected [3]");
  EXPECT_EQ(thrown<Error>([&] { rms_norm(zeros({}), zeros({1})); }),
            "rms_norm: x is [], expected rows of at least one axis");
  EXPECT_EQ(thrown<Error>([&] {
              rms_norm(zeros({2, 3}), zeros({3}), -1);
            }),
            "rms_norm: epsilon is -1, expected 0 or more");
  EXPECT_THROW(layer_norm(zeros({2, 3}), zeros({4}), zeros({3})), ShapeError);
  EXPECT_THROW(rms_norm(zeros({2, 3}), zeros({3}), -1), ConfigError);
}

TEST(GroupNorm, OfOneGroupAndOneRowIsLayerNorm) {
  Rng rng(21);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(random_tensor(rng, {3, 6})), gain = scope.constant(random_tensor(rng, {6})),
            bias = scope.constant(random_tensor(rng, {6}));
  const Var group = group_norm(x, gain, bias, {}), layer = layer_norm(x, gain, bias);  // [3,6]
  for (Index i = 0; i < 18; ++i) EXPECT_NEAR(group.value().data()[i], layer.value().data()[i], 1e-6);
}

TEST(GroupNorm, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  // Two pictures of two cells, two groups of one channel: of mean 3 and deviation 2, and of mean 0 and deviation 1.
  const Var x = scope.constant(Tensor::of({4, 2}, {1, 1, 5, -1, 5, -1, 1, 1}));
  const Var y = group_norm(x, scope.constant(Tensor::of({2}, {1, 10})), scope.constant(Tensor::of({2}, {0, 5})),
                           {.cells = 2, .groups = 2, .epsilon = 0});  // [4,2]
  const Real expected[] = {-1, 15, 1, -5, 1, -5, -1, 15};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(y.value().data()[i], expected[i], 1e-6);
}

TEST(GroupNorm, HasTheRightJacobian) {
  Rng rng(22);
  const std::vector<Tensor> inputs{random_tensor(rng, {6, 4}, -2, 2), random_tensor(rng, {4}), random_tensor(rng, {4})};
  for (const Index groups : {1, 2, 4}) {
    const auto f = [&](Scope&, const Inputs& in) {
      return group_norm(in[0], in[1], in[2], {.cells = 3, .groups = groups, .epsilon = Real(0.1)});
    };
    EXPECT_EQ(jacobian_mismatch(f, inputs), "") << groups;
    const auto twice = [&](Scope& scope, const Inputs& in) { return add(f(scope, in), f(scope, in)); };
    EXPECT_EQ(jacobian_mismatch(twice, inputs), "") << groups;
  }
}

TEST(GroupNorm, NamesTheShapeThatDoesNotFit) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({4, 6})), w = scope.constant(Tensor::zeros({6}));
  EXPECT_EQ(thrown<ShapeError>([&] { group_norm(x, w, w, {.cells = 3, .groups = 2}); }),
            "group_norm: x is [4,6], expected pictures of 3 rows and columns in 2 equal groups");
  EXPECT_THROW(group_norm(x, w, w, {.cells = 2, .groups = 4}), ShapeError);
}

TEST(UnitNorm, GivesEachPartTheLengthOfItsStrength) {
  Arena arena;
  Scope scope(arena);
  const Var y = unit_norm(scope.constant(Tensor::of({2, 4}, {3, 4, 0, 2, 0, 0, -6, 8})),
                          scope.constant(Tensor::of({2}, {1, 10})), 0);  // [2,4]
  const Real expected[] = {0.6, 0.8, 0, 10, 0, 0, -6, 8};
  for (const int i : {0, 1, 2, 3, 6, 7}) EXPECT_NEAR(y.value().data()[i], expected[i], 1e-6);
  const Var zero = unit_norm(scope.constant(Tensor::zeros({1, 2})), scope.constant(Tensor::of({1}, {5})));  // [1,2]
  EXPECT_EQ(zero.value().data()[0], 0);
}

TEST(UnitNorm, HasTheRightJacobian) {
  Rng rng(9);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const Inputs& in) { return unit_norm(in[0], in[1]); },
                              {random_tensor(rng, {3, 6}, 0.5, 1.5), random_tensor(rng, {2})}),
            "");
}

TEST(UnitNorm, NamesColumnsThatItCannotSplit) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](Shape shape) { return scope.constant(Tensor::zeros(shape)); };
  EXPECT_EQ(thrown<ShapeError>([&] {
              unit_norm(zeros({2, 5}), zeros({2}));
            }),
            "unit_norm: x is [2,5], expected columns in 2 equal parts");
  EXPECT_EQ(thrown<ShapeError>([&] {
              unit_norm(zeros({2, 4}), zeros({2, 1}));
            }),
            "unit_norm: strength is [2,1], expected rank 1");
}

}  // namespace
}  // namespace dhyan
