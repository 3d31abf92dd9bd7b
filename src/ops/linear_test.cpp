#include "ops/linear.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Linear, MultipliesAndAddsTheBiasByHand) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({2, 2}, {1, 2, 3, 4}));
  const Var w = scope.constant(Tensor::of({2, 3}, {1, 0, 2, 0, 1, 3}));
  const Var b = scope.constant(Tensor::of({3}, {10, 20, 30}));
  const Var y = linear(x, w, b);
  EXPECT_EQ(y.shape(), (Shape{2, 3}));
  EXPECT_EQ(std::vector<Real>(y.value().span().begin(), y.value().span().end()),
            (std::vector<Real>{11, 22, 38, 13, 24, 48}));
}

TEST(Linear, KeepsLeadingAxes) {
  Arena arena;
  Scope scope(arena);
  const Var y = linear(scope.constant(Tensor::zeros({2, 3, 4})), scope.constant(Tensor::zeros({4, 5})));
  EXPECT_EQ(y.shape(), (Shape{2, 3, 5}));
}

TEST(Linear, HasTheRightJacobianWithAndWithoutBias) {
  Rng rng(1);
  const std::vector<Tensor> inputs{random_tensor(rng, {3, 2}), random_tensor(rng, {2, 4}), random_tensor(rng, {4})};
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return linear(in[0], in[1], in[2]); }, inputs), "");
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return linear(in[0], in[1]); }, inputs), "");
}

TEST(Linear, WithReluHasTheRightJacobian) {
  Rng rng(6);
  const std::vector<Tensor> inputs{random_tensor(rng, {3, 2}), random_tensor(rng, {2, 4}, 1, 2),
                                   Tensor::of({4}, {4, -4, 4, -4})};  // far from the kink
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return linear_relu(in[0], in[1], in[2]); }, inputs), "");
}

TEST(Linear, GathersTheGradientOfAWeightThatIsUsedOften) {
  Rng rng(2);
  // h -> h W + b, four times over, as a recurrent cell does; the weight also multiplies more rows in between.
  const auto f = [](Scope&, const auto& in) {
    Var h = linear(in[0], in[1], in[2]);
    linear(in[3], in[1], in[2]);  // no loss uses it, so it must add no gradient
    for (int step = 0; step < 3; ++step) h = linear(h, in[1], in[2]);
    return h;
  };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {2, 3}), random_tensor(rng, {3, 3}), random_tensor(rng, {3}),
                                  random_tensor(rng, {7, 3})}),
            "");
}

TEST(Linear, GathersMoreRowsThanOneGemmTakes) {
  Rng rng(3);
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {2, 2});
  const auto gradient_of = [&](const std::vector<Index>& rows_of_calls) {
    GradientSet sink(parameters);
    Arena arena;
    Tape tape(parameters);
    tape.start(sink, Rng(0));
    Scope scope(arena, tape);
    Index rows = 0;
    for (const Index n : rows_of_calls) rows += n;
    const Tensor x = Tensor::zeros({rows, 2});
    for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<Real>((i * 37 % 11) - 5);
    std::vector<Var> outputs;
    Index begin = 0;
    for (const Index n : rows_of_calls) {
      outputs.push_back(linear(scope.constant(x.row_range(begin, begin + n)), scope.parameter(w)));
      begin += n;
    }
    // The sum of all outputs, so that every row has the gradient 1.
    const Var all = record(Tensor::zeros_in(arena, {1}), outputs, [outputs](const Var&) {
      for (const Var& y : outputs) y.grad().fill(1);
    });
    tape.backward(all);
    const std::span<Real> values = sink[w].value().span();
    return std::vector<Real>(values.begin(), values.end());
  };
  const std::vector<Real> at_once = gradient_of({5000});
  EXPECT_EQ(gradient_of({700, 1, 999, 0, 1500, 1200, 600}), at_once);  // whole numbers: exact in any order
  EXPECT_EQ(gradient_of({3000, 2000}), at_once);
}

// Result and gradients of a weight that is used once and of one that is used three times.
std::vector<Real> of_precision(Precision precision) {
  Rng rng(7);
  ParameterSet parameters;
  const Parameter &once = parameters.add("once", {20, 24}), &often = parameters.add("often", {24, 24});
  for (Parameter& parameter : parameters) {
    for (Real& x : parameter.value.span()) x = static_cast<Real>(rng.uniform(-0.3, 0.3));
  }
  GradientSet sink(parameters);
  Arena arena;
  Tape tape(parameters, precision);
  tape.start(sink, Rng(0));
  Scope scope(arena, tape);
  const Var x = scope.variable(random_tensor(rng, {15, 20}));
  Var y = linear_relu(x, scope.parameter(once), scope.constant(random_tensor(rng, {24})));  // [15,24]
  for (int step = 0; step < 3; ++step) y = linear(y, scope.parameter(often));
  tape.backward(y, random_tensor(rng, {15, 24}));
  std::vector<Real> all;
  for (const Tensor& part : {y.value(), x.grad(), sink[once].value(), sink[often].value()}) {
    all.insert(all.end(), part.span().begin(), part.span().end());
  }
  return all;
}

TEST(Linear, OnABfloat16TapeIsCloseToFullPrecision) {
  const std::vector<Real> full = of_precision(Precision::kFull), rounded = of_precision(Precision::kBfloat16);
  double square = 0, difference = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    square += full[i] * full[i];
    difference += (full[i] - rounded[i]) * (full[i] - rounded[i]);
  }
  EXPECT_LT(std::sqrt(difference / square), 0.01);
  EXPECT_GT(std::sqrt(difference / square), 0.0005) << "it is rounded";
}

TEST(Linear, PassesTheGradientOnToAComputedWeight) {
  Rng rng(4);
  const auto f = [](Scope&, const auto& in) {
    const Var w = linear(in[1], in[2]);
    return linear(linear(in[0], w), w);
  };
  EXPECT_EQ(jacobian_mismatch(f, {random_tensor(rng, {2, 3}), random_tensor(rng, {3, 2}), random_tensor(rng, {2, 3})}),
            "");
}

TEST(Linear, OfNoRowsGivesNoRowsAndAZeroGradient) {
  Rng rng(5);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return linear(in[0], in[1], in[2]); },
                              {Tensor::zeros({0, 2}), random_tensor(rng, {2, 3}), random_tensor(rng, {3})}),
            "");
}

TEST(Linear, NamesTheShapesThatDoNotFit) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](Shape shape) { return scope.constant(Tensor::zeros(shape)); };
  EXPECT_EQ(thrown<ShapeError>([&] {
              linear(zeros({2, 3}), zeros({4, 5}));
            }),
            "linear: inner dimensions differ: x is [2,3], weight is [4,5]");
  EXPECT_THROW(linear(zeros({2, 4}), zeros({4, 5}), zeros({4})), ShapeError);
}

}  // namespace
}  // namespace dhyan
