#include "ops/matmul.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

constexpr Transpose kBoth[] = {Transpose::kNo, Transpose::kYes};

TEST(Matmul, MultipliesByHand) {
  Arena arena;
  Scope scope(arena);
  const Var a = scope.constant(Tensor::of({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Var b = scope.constant(Tensor::of({3, 2}, {1, 0, 0, 1, 1, 1}));
  const Var c = matmul(a, b);
  EXPECT_EQ(c.shape(), (Shape{2, 2}));
  EXPECT_EQ(std::vector<Real>(c.value().span().begin(), c.value().span().end()), (std::vector<Real>{4, 5, 10, 11}));
}

TEST(Matmul, HasTheRightJacobianInAllTransposes) {
  Rng rng(1);
  for (const Transpose ta : kBoth) {
    for (const Transpose tb : kBoth) {
      const Shape a = ta == Transpose::kNo ? Shape{2, 3} : Shape{3, 2};
      const Shape b = tb == Transpose::kNo ? Shape{3, 4} : Shape{4, 3};
      EXPECT_EQ(jacobian_mismatch([=](Scope&, const auto& in) { return matmul(in[0], ta, in[1], tb); },
                                  {random_tensor(rng, a), random_tensor(rng, b)}),
                "");
    }
  }
}

TEST(Matmul, OfAMatrixWithItselfAddsBothGradients) {
  Rng rng(2);
  EXPECT_EQ(
      jacobian_mismatch([](Scope&, const auto& in) { return matmul(in[0], in[0]); }, {random_tensor(rng, {3, 3})}), "");
}

TEST(Matmul, OfNoRowsHasNoRows) {
  Arena arena;
  Scope scope(arena);
  const Var c = matmul(scope.constant(Tensor::zeros({0, 3})), scope.constant(Tensor::zeros({3, 2})));
  EXPECT_EQ(c.shape(), (Shape{0, 2}));
}

TEST(Matmul, NamesTheShapesThatDoNotFit) {
  Arena arena;
  Scope scope(arena);
  const Var a = scope.constant(Tensor::zeros({2, 3})), b = scope.constant(Tensor::zeros({4, 5}));
  EXPECT_EQ(thrown<ShapeError>([&] { matmul(a, b); }), "matmul: inner dimensions differ: a is [2,3], b is [4,5]");
}

}  // namespace
}  // namespace dhyan
