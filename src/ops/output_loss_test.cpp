#include "ops/output_loss.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

const std::vector<RowId> kTargets{2, 0, 3, 3, 1};

TEST(OutputLoss, OfEqualLogitsIsTheLogOfTheVocabulary) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({5, 3})), w = scope.constant(Tensor::zeros({4, 3}));
  for (const double smoothing : {0.0, 0.1}) {
    const OutputLoss got = output_loss(x, {w, {}}, kTargets, {.label_smoothing = smoothing});
    EXPECT_NEAR(got.loss.value().item(), 5 * std::log(4.0), 1e-5);
    EXPECT_NEAR(got.nll, 5 * std::log(4.0), 1e-5);
  }
}

TEST(OutputLoss, AddsTheBias) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::zeros({1, 1})), w = scope.constant(Tensor::zeros({2, 1}));
  const Var b = scope.constant(Tensor::of({2}, {0, static_cast<Real>(std::log(3.0))}));
  EXPECT_NEAR(output_loss(x, {w, b}, std::vector<RowId>{1}).nll, -std::log(0.75), 1e-6);
}

TEST(OutputLoss, HasTheRightJacobianInChunksWithAndWithoutSmoothingAndBias) {
  Rng rng(1);
  const std::vector<Tensor> inputs{random_tensor(rng, {5, 3}), random_tensor(rng, {4, 3}), random_tensor(rng, {4})};
  for (const Index chunk : {1, 2, 5, 512}) {
    for (const double smoothing : {0.0, 0.2}) {
      const OutputLossOptions options{.label_smoothing = smoothing, .chunk_rows = chunk};
      EXPECT_EQ(jacobian_mismatch(
                    [&](Scope&, const auto& in) {
                      return output_loss(in[0], {in[1], in[2]}, kTargets, options).loss;
                    },
                    inputs),
                "");
      EXPECT_EQ(jacobian_mismatch(
                    [&](Scope&, const auto& in) {
                      return output_loss(in[0], {in[1], {}}, kTargets, options).loss;
                    },
                    inputs),
                "");
    }
  }
}

TEST(OutputLoss, TakesAnyGradientFromAbove) {
  Rng rng(2);
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {4, 3});
  const Tensor x = random_tensor(rng, {5, 3});
  const auto gradient_for = [&](Real seed) {
    GradientSet sink(parameters);
    Arena arena;
    Tape tape(parameters);
    tape.start(sink, Rng(0));
    Scope scope(arena, tape);
    const OutputLoss got = output_loss(scope.constant(x), {scope.parameter(w), {}}, kTargets);
    tape.backward(got.loss, Tensor::of({}, {seed}));
    return sink[w].value().clone();
  };
  const Tensor one = gradient_for(1), half = gradient_for(0.5);
  for (Index i = 0; i < one.size(); ++i) EXPECT_NEAR(one.data()[i] / 2, half.data()[i], 1e-7);
}

TEST(OutputLoss, WithoutATapeIsTheSameAndOnABfloat16TapeIsClose) {
  Rng rng(3);
  ParameterSet parameters;
  const Parameter& w = parameters.add("w", {40, 3});
  std::ranges::copy(random_tensor(rng, {40, 3}, -3, 3).span(), w.value.data());
  const Tensor x = random_tensor(rng, {5, 3});
  GradientSet sink(parameters), rounded_sink(parameters);
  Arena arena;
  Tape tape(parameters), rounded_tape(parameters, Precision::kBfloat16);
  tape.start(sink, Rng(0));
  rounded_tape.start(rounded_sink, Rng(0));
  Scope training(arena, tape), rounded(arena, rounded_tape), inference(arena);
  const auto loss_in = [&](Scope& scope) {
    return output_loss(scope.constant(x), {scope.parameter(w), {}}, kTargets,
                       {.label_smoothing = 0.1, .chunk_rows = 2});
  };
  const OutputLoss a = loss_in(training), b = loss_in(inference), c = loss_in(rounded);
  EXPECT_NEAR(a.loss.value().item(), b.loss.value().item(), 1e-5);
  EXPECT_NEAR(a.nll, b.nll, 1e-5);
  EXPECT_NEAR(a.nll, c.nll, 0.02 * a.nll);
  EXPECT_NE(a.nll, c.nll);
  tape.backward(a.loss);
  rounded_tape.backward(c.loss);
  for (Index i = 0; i < 40 * 3; ++i) {
    EXPECT_NEAR(sink[w].value().data()[i], rounded_sink[w].value().data()[i], 0.03) << i;
  }
}

TEST(OutputLoss, OfNoRowsIsZeroWithZeroGradients) {
  Rng rng(4);
  const std::vector<RowId> none;
  EXPECT_EQ(jacobian_mismatch(
                [&](Scope&, const auto& in) {
                  return output_loss(in[0], {in[1], in[2]}, none).loss;
                },
                {Tensor::zeros({0, 3}), random_tensor(rng, {4, 3}), random_tensor(rng, {4})}),
            "");
}

TEST(OutputLoss, OfOneClassIsZero) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 1}, {3})), w = scope.constant(Tensor::of({1, 1}, {2}));
  EXPECT_EQ(output_loss(x, {w, {}}, std::vector<RowId>{0}).nll, 0);
}

TEST(OutputLoss, RefusesWrongShapes) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](Shape shape) { return scope.constant(Tensor::zeros(shape)); };
  EXPECT_THROW(output_loss(zeros({5, 3}), {zeros({4, 2}), {}}, kTargets), ShapeError);
  EXPECT_THROW(output_loss(zeros({5, 3}), {zeros({4, 3}), zeros({3})}, kTargets), ShapeError);
  EXPECT_THROW(output_loss(zeros({4, 3}), {zeros({4, 3}), {}}, kTargets), ShapeError);
  EXPECT_THROW(output_loss(zeros({5, 3}), {zeros({4, 3}), {}}, kTargets, {.label_smoothing = 1}), ConfigError);
  EXPECT_EQ(thrown<DataError>([&] {
              output_loss(zeros({5, 3}), {zeros({3, 3}), {}}, kTargets);
            }),
            "output_loss: target 2 is word 3 of a vocabulary of 3");
}

}  // namespace
}  // namespace dhyan
