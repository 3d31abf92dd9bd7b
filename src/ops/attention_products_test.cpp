#include "ops/attention_products.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/testing/tensor_values.h"

namespace dhyan {
namespace {

TEST(Energies, AreScaledDotProductsPerSentenceAndHead) {
  Arena arena;
  Scope scope(arena);
  const Var q = scope.constant(Tensor::of({2, 2}, {1, 2, 3, 4}));
  const Var k = scope.constant(Tensor::of({3, 2}, {1, 1, 2, 0, 5, 7}));
  // Sentence 0: query 0 with keys 0, 1; sentence 1: query 1 with key 2. Head n sees column n.
  const AttentionLayout layout{Segments::singles(2), Segments::from_lengths({2, 1}), 2};
  const Var e = energies(q, k, layout, Real{0.5});
  ASSERT_EQ(e.shape(), (Shape{6}));
  const std::vector<Real> values(e.value().span().begin(), e.value().span().end());
  EXPECT_EQ(values, (std::vector<Real>{0.5, 1, 1, 0, 7.5, 14}));
}

TEST(Contexts, AreWeightedSumsOfValues) {
  Arena arena;
  Scope scope(arena);
  const Var p = scope.constant(Tensor::of({2}, {0.25, 0.75}));
  const Var v = scope.constant(Tensor::of({2, 3}, {4, 0, 8, 0, 4, 8}));
  const Var c = contexts(p, v, {Segments::one(1), Segments::one(2), 1});
  EXPECT_EQ(std::vector<Real>(c.value().span().begin(), c.value().span().end()), (std::vector<Real>{1, 3, 8}));
}

TEST(Contexts, OfASentenceWithoutKeysAreZero) {
  Arena arena;
  Scope scope(arena);
  const Var c = contexts(scope.constant(Tensor::zeros({0})), scope.constant(Tensor::zeros({0, 2})),
                         {Segments::one(1), Segments::one(0), 1});
  EXPECT_EQ(std::vector<Real>(c.value().span().begin(), c.value().span().end()), (std::vector<Real>{0, 0}));
}

TEST(Energies, HaveTheRightJacobian) {
  Rng rng(1);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return energies(in[0], in[1], kRagged, Real{0.3}); },
                              {random_tensor(rng, {6, 4}), random_tensor(rng, {6, 4})}),
            "");
}

TEST(Energies, OfAVarWithItselfAddBothGradients) {
  Rng rng(2);
  const AttentionLayout self{Segments::from_lengths({2, 3}), Segments::from_lengths({2, 3}), 1};
  EXPECT_EQ(jacobian_mismatch([&](Scope&, const auto& in) { return energies(in[0], in[0], self); },
                              {random_tensor(rng, {5, 2})}),
            "");
}

TEST(SegmentSoftmaxOp, HasTheRightJacobianUnderEveryLimit) {
  Rng rng(3);
  const AttentionLayout layout{Segments::from_lengths({2, 3}), Segments::from_lengths({4, 3}), 2};
  const std::vector<KeyRange> windows{{0, 2}, {1, 4}, {0, 0}, {2, 3}, {0, 3}};
  for (const AttentionMask& visible : {AttentionMask::all(), AttentionMask::windows(windows)}) {
    EXPECT_EQ(jacobian_mismatch([&](Scope&, const auto& in) { return segment_softmax(in[0], layout, visible); },
                                {random_tensor(rng, {layout.count()}, -2, 2)}),
              "");
  }
}

TEST(Contexts, HaveTheRightJacobian) {
  Rng rng(4);
  EXPECT_EQ(jacobian_mismatch([](Scope&, const auto& in) { return contexts(in[0], in[1], kRagged); },
                              {random_tensor(rng, {kRagged.count()}), random_tensor(rng, {6, 4})}),
            "");
}

TEST(AttentionProducts, RefuseWrongShapes) {
  Arena arena;
  Scope scope(arena);
  const auto zeros = [&](Shape shape) { return scope.constant(Tensor::zeros(shape)); };
  const AttentionLayout layout{Segments::one(2), Segments::one(3), 2};
  EXPECT_EQ(thrown<ShapeError>([&] {
              energies(zeros({1, 4}), zeros({3, 4}), layout);
            }),
            "energies: queries is [1,4], expected 2 rows");
  EXPECT_EQ(thrown<ShapeError>([&] {
              energies(zeros({2, 3}), zeros({3, 3}), layout);
            }),
            "energies: queries is [2,3]; its columns cannot be shared by 2 heads");
  EXPECT_EQ(thrown<ShapeError>([&] {
              energies(zeros({2, 4}), zeros({3, 2}), layout);
            }),
            "energies: queries are [2,4], keys are [3,2]; widths differ");
  EXPECT_EQ(thrown<ShapeError>([&] { segment_softmax(zeros({7}), layout); }),
            "segment_softmax: energy is [7], expected [12]");
  EXPECT_EQ(thrown<ShapeError>([&] {
              contexts(zeros({12}), zeros({2, 4}), layout);
            }),
            "contexts: values is [2,4], expected 3 rows");
}

}  // namespace
}  // namespace dhyan
