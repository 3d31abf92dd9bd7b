#include "attention/attend.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"

namespace dhyan {
namespace {

class Attend : public testing::Test {
 protected:
  std::unique_ptr<Score> score(std::string_view name, Index heads = 1) {
    return make_score(name, {weights_, "score", {.query = 4, .key = 4, .hidden = 4, .heads = heads}, Rng(1)});
  }
  std::unique_ptr<Window> causal() { return make_window("causal", {weights_, "window", {.query = 4}, Rng(1)}); }

  ParameterSet weights_;
  Arena arena_;
  Scope scope_{arena_};
};

TEST_F(Attend, MakesWeightsOfEnergiesAndAContextOfWeights) {
  Rng rng(2);
  const Var q = scope_.constant(random_tensor(rng, {3, 4})), h = scope_.constant(random_tensor(rng, {5, 4}));
  const Attended got =
      attend(*score("dot"), {q, Segments::from_lengths({2, 1})}, {h, h, Segments::from_lengths({3, 2})});
  ASSERT_EQ(got.context.shape(), (Shape{3, 4}));
  ASSERT_EQ(got.weights.shape(), (Shape{2 * 3 + 1 * 2}));
  // Sentence 1: one query, two keys, the last two weights.
  const auto alpha = got.weights.value().span().last(2), e = got.energy.value().span().last(2);
  EXPECT_NEAR(alpha[0] + alpha[1], 1, 1e-6);
  EXPECT_NEAR(alpha[0] / alpha[1], std::exp(double{e[0]} - e[1]), 1e-5);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(got.context.value().row(2)[k], alpha[0] * h.value().row(3)[k] + alpha[1] * h.value().row(4)[k], 1e-6);
  }
}

TEST_F(Attend, CausalResultsDoNotChangeWhenTheFutureDoes) {
  Rng rng(4);
  const Tensor x = random_tensor(rng, {4, 4});
  const Tensor y = x.clone();
  y.row(3)[0] = 100;
  const Segments one = Segments::one(4);
  const auto scaled_dot = score("scaled_dot");
  const auto window = causal();
  const auto run = [&](const Tensor& t) {
    const Var v = scope_.constant(t);
    return attend(*scaled_dot, {v, one}, {v, v, one}, {.window = window.get()}).context.value();
  };
  const Tensor before = run(x), after = run(y);
  for (Index i = 0; i < 3 * 4; ++i) EXPECT_EQ(before.data()[i], after.data()[i]);
  EXPECT_NE(before.data()[12], after.data()[12]);
}

TEST_F(Attend, OneSentenceIsNotMovedByItsNeighbours) {
  Rng rng(5);
  const Tensor x = random_tensor(rng, {5, 4});
  const auto dot = score("dot", 2);
  const auto run = [&](const Tensor& t, const Segments& segments) {
    const Var v = scope_.constant(t);
    return attend(*dot, {v, segments}, {v, v, segments}, {.heads = 2}).context.value();
  };
  const Tensor together = run(x, Segments::from_lengths({2, 3})), alone = run(x.row_range(2, 5), Segments::one(3));
  for (Index i = 0; i < alone.size(); ++i) EXPECT_EQ(together.data()[8 + i], alone.data()[i]);
}

}  // namespace
}  // namespace dhyan
