#include "kernels/right_factor.h"

#include "core/error.h"
#include "core/shape.h"
#include "kernels/packed_matrix.h"

namespace dhyan::kernels {

void expect_product(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias, const Matrix& y) {
  const bool bias_fits = bias.empty() || std::ssize(bias) == columns;
  if (!x.transposed && x.cols == inner && y.rows == x.rows && y.cols == columns && bias_fits) return;
  throw ShapeError(cat("product: x is ", Shape{x.m(), x.n()}, ", the weight ", Shape{inner, columns}, ", y ",
                       Shape{y.rows, y.cols}, ", the bias has ", bias.size()));
}

const RightFactor& SettledWeight::factor(ConstMatrix w) const {
  std::call_once(once_, [&] {
    if (factor_ == nullptr) factor_ = std::make_unique<PackedMatrix>(w);
  });
  return *factor_;
}

}  // namespace dhyan::kernels
