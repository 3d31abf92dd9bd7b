#include "ops/latent_alignment.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/arithmetic.h"

namespace dhyan {
namespace {

// Two sentences: three targets on two words and null, one target on null alone.
kernels::AttentionLayout two_sentences() { return {Segments::from_lengths({3, 1}), Segments::from_lengths({3, 1}), 1}; }
constexpr Index kPairs = 10;
constexpr double kNullShare = 0.3;

TEST(LatentAlignment, OfOneWordIsAMixture) {
  Arena arena;
  Scope scope(arena);
  const Var energy = scope.constant(Tensor::of({2}, {-1, -3}));
  const Var jumps = scope.constant(Tensor::of({3}, {0, 0, 0}));
  const LatentAlignment aligned = latent_alignment(energy, jumps, kNullShare, {Segments::one(1), Segments::one(2), 1});
  const double word = 0.7 * std::exp(-1.0), null = 0.3 * std::exp(-3.0);
  EXPECT_NEAR(aligned.loss.value().item(), -std::log(word + null), 1e-5);
  EXPECT_NEAR(aligned.posteriors.data()[0], word / (word + null), 1e-5);
  EXPECT_NEAR(aligned.posteriors.data()[1], null / (word + null), 1e-5);
}

TEST(LatentAlignment, HasTheRightJacobian) {
  Rng rng(1);
  const auto twice = [](Scope&, const auto& in) {
    const Var once = latent_alignment(in[0], in[1], kNullShare, two_sentences()).loss;
    return add(once, scale(latent_alignment(in[0], in[1], kNullShare, two_sentences()).loss, 2));
  };
  EXPECT_EQ(jacobian_mismatch(twice, {random_tensor(rng, {kPairs}), random_tensor(rng, {3})}), "");
}

TEST(LatentAlignment, RefusesWhatItCannotAlign) {
  Arena arena;
  Scope scope(arena);
  const Var energy = scope.constant(Tensor::zeros({kPairs})), jumps = scope.constant(Tensor::zeros({3}));
  EXPECT_EQ(
      thrown<ShapeError>([&] { latent_alignment(energy, scope.constant(Tensor::zeros({4})), 0.2, two_sentences()); }),
      "latent_alignment: jumps is [4], expected an odd number of scores");
  EXPECT_THROW(latent_alignment(scope.constant(Tensor::zeros({9})), jumps, 0.2, two_sentences()), ShapeError);
  EXPECT_EQ(thrown<ConfigError>([&] { latent_alignment(energy, jumps, 0, two_sentences()); }),
            "latent_alignment: null is 0, expected 0 < null < 1");
  EXPECT_EQ(thrown<ShapeError>([&] {
              latent_alignment(scope.constant(Tensor::zeros({0})), jumps, 0.2,
                               {Segments::one(2), Segments::from_lengths({0}), 1});
            }),
            "latent_alignment: 2 targets without a key, expected the null word");
}

const std::vector<RowId> kKeyRows{1, 0, 1, 2}, kQueryColumns{0, 3, 3, 1};

TEST(PairEnergies, AreRowsAndColumnsOfTheTable) {
  Arena arena;
  Scope scope(arena);
  const Var table = scope.constant(Tensor::of({3, 4}, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}));
  const Var energy = pair_energies(table, {kKeyRows, kQueryColumns}, two_sentences());
  const std::vector<Real> expected{10, 0, 10, 13, 3, 13, 13, 3, 13, 21};
  EXPECT_EQ((std::vector<Real>(energy.value().data(), energy.value().data() + kPairs)), expected);
}

TEST(PairEnergies, HaveTheRightJacobian) {
  Rng rng(2);
  const auto twice = [](Scope&, const auto& in) {
    return add(pair_energies(in[0], {kKeyRows, kQueryColumns}, two_sentences()),
               scale(pair_energies(in[0], {kKeyRows, kQueryColumns}, two_sentences()), 3));
  };
  EXPECT_EQ(jacobian_mismatch(twice, {random_tensor(rng, {3, 4})}), "");
}

TEST(PairEnergies, RefuseWordsBeyondTheTable) {
  Arena arena;
  Scope scope(arena);
  const Var table = scope.constant(Tensor::zeros({2, 4}));
  EXPECT_EQ(thrown<ShapeError>([&] {
              pair_energies(table, {kKeyRows, kQueryColumns}, two_sentences());
            }),
            "pair_energies: keys has 2 of a table of 2");
  EXPECT_THROW(pair_energies(table, {std::span(kKeyRows).first(3), kQueryColumns}, two_sentences()), ShapeError);
}

}  // namespace
}  // namespace dhyan
