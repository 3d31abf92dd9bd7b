#include "ops/hard_attention.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

const AttentionLayout kTwoSentences{Segments::from_lengths({20, 1}), Segments::from_lengths({2, 3}), 1};

Tensor even_weights() {
  const Tensor weights = Tensor::zeros({kTwoSentences.count()});
  for (std::size_t i = 0; i < 43; ++i) weights.span()[i] = i < 40 ? Real{0.5} : Real(1) / 3;
  return weights;
}

TEST(HardAttention, WithoutATapeChoosesTheLargestWeight) {
  Arena arena;
  Scope scope(arena);
  const Var y =
      hard_attention(scope.constant(Tensor::of({3}, {0.2, 0.3, 0.5})), {Segments::one(1), Segments::one(3), 1});
  EXPECT_EQ(values(y.value()), (std::vector<Real>{0, 0, 1}));
}

TEST(HardAttention, InTrainingSamplesAndPassesGradientsStraightThrough) {
  ParameterSet none;
  GradientSet gradients(none);
  Tape tape(none);
  Arena arena;
  const auto run = [&](std::uint64_t seed) {
    arena.reset();
    tape.start(gradients, Rng(seed));
    Scope scope(arena, tape);
    const Var weights = scope.variable(even_weights());
    const Var y = hard_attention(weights, kTwoSentences);
    const std::vector<Real> drawn = values(y.value());
    const Tensor seed_gradient = Tensor::zeros(y.shape());
    for (Index i = 0; i < seed_gradient.size(); ++i) seed_gradient.data()[i] = static_cast<Real>(i);
    tape.backward(y, seed_gradient);
    EXPECT_EQ(values(weights.grad()), values(seed_gradient));
    return drawn;
  };
  const std::vector<Real> first = run(1);
  EXPECT_EQ(run(1), first);
  EXPECT_NE(run(2), first);
}

TEST(HardAttention, RefusesWrongShapes) {
  Arena arena;
  Scope scope(arena);
  EXPECT_EQ(thrown<ShapeError>([&] { hard_attention(scope.constant(Tensor::zeros({3})), kTwoSentences); }),
            "hard_attention: weights is [3], expected [43]");
}

}  // namespace
}  // namespace dhyan
