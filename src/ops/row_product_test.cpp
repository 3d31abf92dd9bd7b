#include "ops/row_product.h"

#include <gtest/gtest.h>

#include "autograd/jacobian.h"
#include "kernels/gemm.h"

namespace dhyan {
namespace {

Tensor row_product_of(const Tensor& x, ConstMatrix w, Index O) {
  Arena arena;
  const Scope scope(arena);
  const Tensor y = Tensor::zeros({x.rows(), O});
  row_product(scope, x, w, y);
  return y;
}

TEST(RowProduct, IsTheProduct) {
  Rng rng(1);
  const Tensor x = random_tensor(rng, {600, 7}), w = random_tensor(rng, {7, 5}), expected = Tensor::zeros({600, 5});
  kernels::gemm_simple(x.matrix(), w.matrix(), expected.matrix());
  const Tensor y = row_product_of(x, w.matrix(), 5);
  for (Index i = 0; i < y.size(); ++i) EXPECT_NEAR(y.data()[i], expected.data()[i], 1e-5);
}

TEST(RowProduct, GivesARowTheSameBytesInAnyCompany) {
  const Index I = 1000, O = 24;
  Rng rng(2);
  const Tensor x = random_tensor(rng, {1100, I}), w = random_tensor(rng, {I, O}),
               transposed = random_tensor(rng, {O, I});
  for (const ConstMatrix& weight : {ConstMatrix(w.matrix()), ConstMatrix(transposed.matrix().t())}) {
    const Tensor alone = row_product_of(x.row_range(0, 1), weight, O);
    for (const Index rows : {2, 5, 15, 16, 17, 64, 511, 512, 513, 530, 1100}) {
      const Tensor together = row_product_of(x.row_range(0, rows), weight, O);
      EXPECT_TRUE(std::ranges::equal(together.row(0), alone.row(0))) << rows << " rows";
    }
  }
}

TEST(RowProduct, OfNoRowsIsNothing) {
  EXPECT_EQ(row_product_of(Tensor::zeros({0, 3}), Tensor::zeros({3, 2}).matrix(), 2).rows(), 0);
}

}  // namespace
}  // namespace dhyan
