#include "attention/attend.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/thrown.h"

namespace dhyan {
namespace {

TEST(Scores, AreInATableWithAReferenceEach) {
  for (const ScoreEntry& entry : scores()) {
    EXPECT_FALSE(entry.reference.empty()) << entry.name;
    EXPECT_NE(make_score(entry.name), nullptr);
  }
}

TEST(Scores, OfAnUnknownNameListTheKnownOnes) {
  EXPECT_EQ(thrown<ConfigError>([&] { make_score("dott"); }), "score: 'dott' is none of dot, scaled_dot");
}

TEST(Scores, ScaledDotDividesByTheRootOfTheHeadWidth) {
  Arena arena;
  Scope scope(arena);
  Rng rng(1);
  const Var q = scope.constant(random_tensor(rng, {2, 8})), k = scope.constant(random_tensor(rng, {3, 8}));
  const Pairing pairing{Segments::one(2), Segments::one(3), 2};
  const Memory memory{k, k, pairing.keys};
  const Var dot = (*make_score("dot"))(q, memory, pairing), scaled = (*make_score("scaled_dot"))(q, memory, pairing);
  for (std::size_t i = 0; i < dot.value().span().size(); ++i) {
    EXPECT_NEAR(scaled.value().span()[i], dot.value().span()[i] / 2, 1e-6);  // √(8/2)
  }
}

TEST(Attend, WithEveryScoreGivesWeightsThatSumToOneAndTheContextTheyMake) {
  Rng rng(2);
  const Segments queries = Segments::from_lengths({2, 1}), keys = Segments::from_lengths({3, 2});
  for (const ScoreEntry& entry : scores()) {
    Arena arena;
    Scope scope(arena);
    const Var q = scope.constant(random_tensor(rng, {3, 4})), h = scope.constant(random_tensor(rng, {5, 4}));
    const Attended got = attend(*entry.make(), {q, queries}, {h, h, keys});
    ASSERT_EQ(got.context.shape(), (Shape{3, 4}));
    ASSERT_EQ(got.weights.shape(), (Shape{2 * 3 + 1 * 2}));
    // Sentence 1: one query, two keys, the last two weights.
    const auto alpha = got.weights.value().span().last(2);
    EXPECT_NEAR(alpha[0] + alpha[1], 1, 1e-6) << entry.name;
    const auto e = got.energy.value().span().last(2);
    EXPECT_NEAR(alpha[0] / alpha[1], std::exp(double{e[0]} - e[1]), 1e-5) << entry.name;
    for (Index k = 0; k < 4; ++k) {
      const Real c = alpha[0] * h.value().row(3)[static_cast<std::size_t>(k)] +
                     alpha[1] * h.value().row(4)[static_cast<std::size_t>(k)];
      EXPECT_NEAR(got.context.value().row(2)[static_cast<std::size_t>(k)], c, 1e-6) << entry.name;
    }
  }
}

TEST(Attend, WithEveryScoreHasTheRightJacobianWithHeadsAndACausalLimit) {
  Rng rng(3);
  const Segments both = Segments::from_lengths({2, 0, 3});
  for (const ScoreEntry& entry : scores()) {
    EXPECT_EQ(jacobian_mismatch(
                  [&](Scope&, const auto& in) {
                    return attend(*entry.make(), {in[0], both}, {in[1], in[2], both},
                                  {.heads = 2, .visible = Visible::causal()})
                        .context;
                  },
                  {random_tensor(rng, {5, 4}), random_tensor(rng, {5, 4}), random_tensor(rng, {5, 6})}),
              "")
        << entry.name;
  }
}

TEST(Attend, CausalResultsDoNotChangeWhenTheFutureDoes) {
  Rng rng(4);
  Arena arena;
  Scope scope(arena);
  const Tensor x = random_tensor(rng, {4, 2});
  const Tensor y = x.clone();
  y.row(3)[0] = 100;
  const Segments one = Segments::one(4);
  const auto score = make_score("scaled_dot");
  const auto run = [&](const Tensor& t) {
    const Var v = scope.constant(t);
    return attend(*score, {v, one}, {v, v, one}, {.visible = Visible::causal()}).context.value();
  };
  const Tensor before = run(x), after = run(y);
  for (Index i = 0; i < 3 * 2; ++i) EXPECT_EQ(before.data()[i], after.data()[i]);
  EXPECT_NE(before.data()[6], after.data()[6]);
}

TEST(Attend, OneSentenceIsNotMovedByItsNeighbours) {
  Rng rng(5);
  Arena arena;
  Scope scope(arena);
  const Tensor x = random_tensor(rng, {5, 4});
  const auto score = make_score("dot");
  const auto run = [&](const Tensor& t, const Segments& segments) {
    const Var v = scope.constant(t);
    return attend(*score, {v, segments}, {v, v, segments}, {.heads = 2}).context.value();
  };
  const Tensor together = run(x, Segments::from_lengths({2, 3})), alone = run(x.row_range(2, 5), Segments::one(3));
  for (Index i = 0; i < alone.size(); ++i) EXPECT_EQ(together.data()[8 + i], alone.data()[i]);
}

}  // namespace
}  // namespace dhyan
