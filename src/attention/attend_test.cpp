#include "attention/attend.h"

#include <cmath>
#include <gtest/gtest.h>

#include "attention/attention.h"
#include "core/thrown.h"
#include "nn/module_jacobian.h"

namespace dhyan {
namespace {

constexpr Index kQuery = 4, kKey = 4;

AttentionConfig config_of(const ScoreEntry& score, std::string window, Index heads) {
  return {.score = std::string(score.name), .window = std::move(window), .heads = heads, .hidden = 6};
}

TEST(Attend, WithEveryScoreGivesWeightsThatSumToOneAndTheContextTheyMake) {
  Rng rng(2);
  const Segments queries = Segments::from_lengths({2, 1}), keys = Segments::from_lengths({3, 2});
  for (const ScoreEntry& entry : scores()) {
    Arena arena;
    Scope scope(arena);
    ParameterSet weights;
    const Attention attention(weights, "attention", {kQuery, kKey}, config_of(entry, "global", 1), rng);
    const Var q = scope.constant(random_tensor(rng, {3, 4})), h = scope.constant(random_tensor(rng, {5, 4}));
    const Attended got = attention({q, queries}, attention.prepare({h, keys}));
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
    ParameterSet weights;
    const Attention attention(weights, "attention", {kQuery, kKey}, config_of(entry, "causal", 2), rng);
    randomise(weights, 5);
    EXPECT_EQ(module_jacobian_mismatch(weights, {random_tensor(rng, {5, 4}), random_tensor(rng, {5, 4})},
                                       [&](Scope&, const auto& in) {
                                         return attention({in[0], both}, attention.prepare({in[1], both})).context;
                                       }),
              "")
        << entry.name;
  }
}

}  // namespace
}  // namespace dhyan
