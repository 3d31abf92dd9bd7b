#include "core/error.h"
#include "core/shape.h"
#include "kernels/gemm/gemm_check.h"

namespace dhyan::kernels {

void check_gemm_shapes(const ConstMatrix& a, const ConstMatrix& b, const Matrix& c) {
  if (a.n() == b.m() && c.rows == a.m() && c.cols == b.n()) return;
  const Shape a_shape{a.m(), a.n()}, b_shape{b.m(), b.n()}, c_shape{c.rows, c.cols};
  if (a.n() != b.m()) throw ShapeError(cat("gemm: inner dimensions differ: a is ", a_shape, ", b is ", b_shape));
  throw ShapeError(cat("gemm: c is ", c_shape, ", expected ", Shape{a.m(), b.n()}));
}

void gemm_simple(ConstMatrix a, ConstMatrix b, Matrix c, const GemmOptions& options) {
  check_gemm_shapes(a, b, c);
  const Index a_row = a.transposed ? 1 : a.stride, a_col = a.transposed ? a.stride : 1;
  const Index b_row = b.transposed ? 1 : b.stride, b_col = b.transposed ? b.stride : 1;
  for (Index i = 0; i < c.rows; ++i) {
    Real* c_i = c.row(i);
    for (Index j = 0; j < c.cols; ++j) c_i[j] = options.beta == 0 ? 0 : options.beta * c_i[j];
    for (Index k = 0; k < a.n(); ++k) {
      const Real a_ik = options.alpha * a.data[i * a_row + k * a_col];
      const Real* b_k = b.data + k * b_row;
      for (Index j = 0; j < c.cols; ++j) c_i[j] += a_ik * b_k[j * b_col];
    }
    for (std::size_t j = 0; j < options.bias.size(); ++j) c_i[j] += options.bias[j];
    if (!options.relu) continue;
    for (Index j = 0; j < c.cols; ++j) c_i[j] = c_i[j] < 0 ? 0 : c_i[j];
  }
}

}  // namespace dhyan::kernels
