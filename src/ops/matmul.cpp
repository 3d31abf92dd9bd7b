#include "ops/matmul.h"

#include "core/error.h"
#include "kernels/gemm/gemm.h"
#include "ops/expect_real.h"

namespace dhyan {

namespace {

ConstMatrix as_read(const Tensor& x, Transpose transpose) {
  return transpose == Transpose::kYes ? x.matrix().t() : ConstMatrix(x.matrix());
}

}  // namespace

// C = A B;   dA += dC Bᵀ,   dB += Aᵀ dC;   the gradient of a transposed operand is the transpose of that.
Var matmul(const Var& a, Transpose transpose_a, const Var& b, Transpose transpose_b) {
  expect_real("matmul", a, b);
  expect_rank("matmul", "a", a.shape(), 2);
  expect_rank("matmul", "b", b.shape(), 2);
  const ConstMatrix left = as_read(a.value(), transpose_a);   // [M,K]
  const ConstMatrix right = as_read(b.value(), transpose_b);  // [K,N]
  if (left.n() != right.m()) {
    throw ShapeError(cat("matmul: inner dimensions differ: a is ", Shape{left.m(), left.n()}, ", b is ",
                         Shape{right.m(), right.n()}));
  }
  const Tensor c = a.scope().tensor({left.m(), right.n()});  // [M,N]
  kernels::gemm(left, right, c.matrix());
  return record(c, {a, b}, [a, b, left, right, transpose_a, transpose_b](const Var& result) {
    const Matrix dc = result.grad().matrix();  // [M,N]
    if (a.needs_grad()) {
      const Matrix da = a.grad().matrix();
      if (transpose_a == Transpose::kNo) kernels::gemm(dc, right.t(), da, {.beta = 1});
      if (transpose_a == Transpose::kYes) kernels::gemm(right, dc.t(), da, {.beta = 1});
    }
    if (b.needs_grad()) {
      const Matrix db = b.grad().matrix();
      if (transpose_b == Transpose::kNo) kernels::gemm(left.t(), dc, db, {.beta = 1});
      if (transpose_b == Transpose::kYes) kernels::gemm(dc.t(), left, db, {.beta = 1});
    }
  });
}

Var matmul(const Var& a, const Var& b) { return matmul(a, Transpose::kNo, b, Transpose::kNo); }

}  // namespace dhyan
