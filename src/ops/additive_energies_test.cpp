#include "ops/additive_energies.h"

#include <cmath>
#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

TEST(AdditiveEnergiesOp, MatchesHandValues) {
  Arena arena;
  Scope scope(arena);
  const Var q = scope.constant(Tensor::of({1, 2}, {0.5, 1}));
  const Var k = scope.constant(Tensor::of({2, 2}, {0.5, -1, -0.5, 1}));
  const Var v = scope.constant(Tensor::of({2}, {2, 3}));
  const Segments one = Segments::one(1), two = Segments::one(2);
  const Var together = additive_energies(q, k, v, {one, two, 1});  // [2]
  EXPECT_NEAR(together.value().data()[0], 2 * std::tanh(1.0), 1e-6);
  EXPECT_NEAR(together.value().data()[1], 3 * std::tanh(2.0), 1e-6);
  const Var by_head = additive_energies(q, k, v, {one, two, 2});  // [4]
  const double expected[] = {2 * std::tanh(1.0), 0, 0, 3 * std::tanh(2.0)};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(by_head.value().data()[i], expected[i], 1e-6);
}

TEST(AdditiveEnergiesOp, HasTheRightJacobian) {
  Rng rng(1);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return additive_energies(in[0], in[1], in[2], kRagged); },
                              {random_tensor(rng, {6, 4}), random_tensor(rng, {6, 4}), random_tensor(rng, {4})}),
            "");
}

TEST(AdditiveEnergiesOp, OfAVarWithItselfAddsBothGradients) {
  Rng rng(2);
  const AttentionLayout self{Segments::from_lengths({2, 3}), Segments::from_lengths({2, 3}), 1};
  EXPECT_EQ(jacobian_mismatch([&](Scope&, const auto& in) { return additive_energies(in[0], in[0], in[1], self); },
                              {random_tensor(rng, {5, 3}), random_tensor(rng, {3})}),
            "");
}

TEST(AdditiveEnergiesOp, RefusesWrongShapes) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](Shape shape) { return scope.constant(Tensor::zeros(shape)); };
  const AttentionLayout layout{Segments::one(2), Segments::one(3), 2};
  EXPECT_EQ(thrown<ShapeError>([&] {
              additive_energies(zeros({1, 4}), zeros({3, 4}), zeros({4}), layout);
            }),
            "additive_energies: queries is [1,4], expected 2 rows");
  EXPECT_EQ(thrown<ShapeError>([&] {
              additive_energies(zeros({2, 3}), zeros({3, 3}), zeros({3}), layout);
            }),
            "additive_energies: queries is [2,3]; its columns cannot be shared by 2 heads");
  EXPECT_EQ(thrown<ShapeError>([&] {
              additive_energies(zeros({2, 4}), zeros({3, 2}), zeros({4}), layout);
            }),
            "additive_energies: keys is [3,2], expected [3,4]");
  EXPECT_EQ(thrown<ShapeError>([&] {
              additive_energies(zeros({2, 4}), zeros({3, 4}), zeros({2}), layout);
            }),
            "additive_energies: v is [2], expected [4]");
}

}  // namespace
}  // namespace dhyan
