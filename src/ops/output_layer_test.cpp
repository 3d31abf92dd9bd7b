#include "ops/output_layer.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/prepack.h"
#include "ops/testing/int8_parameter.h"

namespace dhyan {
namespace {

TEST(OutputLogits, MatchHandValues) {
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(Tensor::of({1, 2}, {2, 3})), w = scope.constant(Tensor::of({3, 2}, {1, 0, 0, 1, 1, -1}));
  const auto logits = [&](const Var& bias) {
    const Var z = output_logits(x, {w, bias});
    return std::vector<Real>(z.value().span().begin(), z.value().span().end());
  };
  EXPECT_EQ(logits({}), (std::vector<Real>{2, 3, -1}));
  EXPECT_EQ(logits(scope.constant(Tensor::of({3}, {10, 20, 30}))), (std::vector<Real>{12, 23, 29}));
}

TEST(OutputLogits, HaveTheRightJacobianWithAndWithoutBias) {
  Rng rng(7);
  const std::vector<Tensor> inputs{random_tensor(rng, {2, 3}), random_tensor(rng, {4, 3}), random_tensor(rng, {4})};
  for (const bool biased : {true, false}) {
    EXPECT_EQ(jacobian_mismatch(
                  [&](Scope&, const auto& in) {
                    return output_logits(in[0], {in[1], biased ? in[2] : Var()});
                  },
                  inputs),
              "");
  }
}

TEST(BestOutputs, AreTheBestOfAllLogits) {
  Rng rng(8);
  ParameterSet parameters;
  Parameter& w = parameters.add("w", {60, 9});
  w.value = random_tensor(rng, {60, 9});
  prepack(parameters);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(random_tensor(rng, {100, 9}));
  const OutputLayer layer{scope.parameter(w), scope.constant(random_tensor(rng, {60}))};
  std::vector<kernels::Ranked> expected(400);
  kernels::top_k_rows(output_logits(x, layer).value().matrix(), 4, expected);
  EXPECT_EQ(best_outputs(x, layer, 4), expected);
}

TEST(BestOutputs, OfAnInt8WeightAreTheBestOfAllLogits) {
  Rng rng(11);
  Parameter w{.name = "w", .value = random_tensor(rng, {90, 30}), .role = Role::kTable};
  make_int8(w);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(random_tensor(rng, {33, 30}));
  const OutputLayer layer{scope.parameter(w), scope.constant(random_tensor(rng, {90}))};
  std::vector<kernels::Ranked> expected(99);
  kernels::top_k_rows(output_logits(x, layer).value().matrix(), 3, expected);
  EXPECT_EQ(best_outputs(x, layer, 3), expected);
}

TEST(BestOutputs, AreEmptyIfAllLogitsAreAsFast) {
  Rng rng(9);
  ParameterSet parameters;
  Parameter& w = parameters.add("w", {6, 9});
  w.value = random_tensor(rng, {6, 9});
  const Tensor rows = random_tensor(rng, {300, 9});
  Arena arena;
  Scope changing(arena);
  EXPECT_TRUE(best_outputs(changing.constant(rows), {changing.parameter(w), {}}, 2).empty());
  prepack(parameters);
  Scope scope(arena);
  EXPECT_TRUE(best_outputs(scope.constant(rows), {scope.parameter(w), {}}, 7).empty());  // more than the vocabulary has
  EXPECT_FALSE(best_outputs(scope.constant(rows), {scope.parameter(w), {}}, 6).empty());
}

// In one chunk and in several; the weight is prepacked or not.
TEST(RankedOutputs, AreThoseOfAllLogits) {
  Rng rng(10);
  ParameterSet parameters;
  Parameter& w = parameters.add("w", {300, 9});
  w.value = random_tensor(rng, {300, 9});
  const Tensor rows = random_tensor(rng, {70, 9}), bias = random_tensor(rng, {300});
  for (const bool prepacked : {false, true}) {
    if (prepacked) prepack(parameters);
    Arena arena;
    Scope scope(arena);
    const OutputLayer layer{scope.parameter(w), scope.constant(bias)};
    for (const Index M : {0, 1, 32, 33, 70}) {
      const Var x = scope.constant(rows.row_range(0, M));
      const RankedOutputs outputs = ranked_outputs(x, layer, 4);
      std::vector<kernels::Ranked> best(static_cast<std::size_t>(4 * M));
      std::vector<double> log_sums(static_cast<std::size_t>(M));
      kernels::log_sum_and_top_k_rows(output_logits(x, layer).value().matrix(), log_sums, 4, best);
      EXPECT_EQ(outputs.best, best) << M;
      EXPECT_EQ(outputs.log_sums, log_sums) << M;
    }
    EXPECT_TRUE(ranked_outputs(scope.constant(rows), layer, 301).best.empty());  // more than the vocabulary has
  }
}

TEST(OutputLogits, NameTheShapesThatDoNotFit) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](const Shape& shape) { return scope.constant(Tensor::zeros(shape)); };
  EXPECT_EQ(thrown<ShapeError>([&] {
              output_logits(zeros({2, 3}), {zeros({4, 2}), {}});
            }),
            "output_logits: x is [2,3], weight is [4,2]; widths differ");
}

}  // namespace
}  // namespace dhyan
