#include "ops/rdrop_output_loss.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

const std::vector<RowId> kRDropTargets{2, 0, 3, 3, 1};

TEST(RDropOutputLoss, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  const auto log_of = [](double x) { return static_cast<Real>(std::log(x)); };
  // p = (1/4, 3/4), q = (1/2, 1/2)
  const Var w = scope.constant(Tensor::of({2, 1}, {0, 1}));
  const Var first = scope.constant(Tensor::of({1, 1}, {log_of(3)})), second = scope.constant(Tensor::of({1, 1}, {0}));
  const OutputLoss got = rdrop_output_loss(first, second, {w, {}}, std::vector<RowId>{0}, {.alpha = 4});
  const double nll = (std::log(4.0) + std::log(2.0)) / 2;
  const double divergences = (0.25 - 0.5) * std::log(0.25 / 0.5) + (0.75 - 0.5) * std::log(0.75 / 0.5);
  EXPECT_NEAR(got.nll, nll, 1e-6);
  EXPECT_NEAR(got.loss.value().item(), nll + 2 * divergences, 1e-6);
}

TEST(RDropOutputLoss, OfTwoEqualPassesIsTheLossOfOne) {
  Rng rng(1);
  Arena arena;
  Scope scope(arena);
  const Var x = scope.constant(random_tensor(rng, {5, 3})), w = scope.constant(random_tensor(rng, {4, 3}));
  const OutputLoss one = output_loss(x, {w, {}}, kRDropTargets, {.label_smoothing = 0.1});
  const OutputLoss two = rdrop_output_loss(x, x, {w, {}}, kRDropTargets, {.label_smoothing = 0.1, .alpha = 5});
  EXPECT_NEAR(two.loss.value().item(), one.loss.value().item(), 1e-5);
  EXPECT_NEAR(two.nll, one.nll, 1e-5);
}

TEST(RDropOutputLoss, HasTheRightJacobianInChunksWithAndWithoutSmoothingAndBias) {
  Rng rng(1);
  const std::vector<Tensor> inputs{random_tensor(rng, {5, 3}), random_tensor(rng, {5, 3}), random_tensor(rng, {4, 3}),
                                   random_tensor(rng, {4})};
  for (const Index chunk : {1, 2, 512}) {
    for (const double smoothing : {0.0, 0.2}) {
      for (const bool biased : {true, false}) {
        const RDropOutputLossOptions options{.label_smoothing = smoothing, .alpha = 2, .chunk_rows = chunk};
        const auto loss = [&](Scope&, const auto& in) {
          return rdrop_output_loss(in[0], in[1], {in[2], biased ? in[3] : Var()}, kRDropTargets, options).loss;
        };
        EXPECT_EQ(jacobian_mismatch(loss, inputs), "") << chunk << " " << smoothing << " " << biased;
      }
    }
  }
}

TEST(RDropOutputLoss, AddsUpTheGradientsOfAnInputUsedTwice) {
  Rng rng(2);
  const auto loss = [&](Scope&, const auto& in) {
    return rdrop_output_loss(in[0], in[0], {in[1], {}}, kRDropTargets, {.alpha = 1}).loss;
  };
  EXPECT_EQ(jacobian_mismatch(loss, {random_tensor(rng, {5, 3}), random_tensor(rng, {4, 3})}), "");
}

TEST(RDropOutputLoss, OfNoRowsIsZeroWithZeroGradients) {
  Rng rng(3);
  const auto loss = [&](Scope&, const auto& in) {
    return rdrop_output_loss(in[0], in[1], {in[2], {}}, {}, {.alpha = 1}).loss;
  };
  EXPECT_EQ(jacobian_mismatch(loss, {Tensor::zeros({0, 3}), Tensor::zeros({0, 3}), random_tensor(rng, {4, 3})}), "");
}

TEST(RDropOutputLoss, RefusesWrongShapes) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](Shape shape) { return scope.constant(Tensor::zeros(shape)); };
  const Var x = zeros({5, 3}), w = zeros({4, 3});
  EXPECT_EQ(thrown<ShapeError>([&] {
              rdrop_output_loss(x, zeros({4, 3}), {w, {}}, kRDropTargets, {.alpha = 1});
            }),
            "rdrop_output_loss: the first pass is [5,3], the second is [4,3]");
  EXPECT_EQ(thrown<ConfigError>([&] {
              rdrop_output_loss(x, x, {w, {}}, kRDropTargets, {.alpha = -1});
            }),
            "rdrop_output_loss: alpha is -1, expected 0 or more");
  EXPECT_EQ(thrown<DataError>([&] {
              rdrop_output_loss(x, x, {zeros({3, 3}), {}}, kRDropTargets, {.alpha = 1});
            }),
            "rdrop_output_loss: target 2 is word 3 of a vocabulary of 3");
}

}  // namespace
}  // namespace dhyan
