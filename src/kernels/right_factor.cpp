#include "kernels/right_factor.h"

#include "core/error.h"
#include "core/shape.h"
#include "kernels/int8_matrix.h"
#include "kernels/packed_matrix.h"

namespace dhyan::kernels {

void expect_product(const ConstMatrix& x, Index inner, Index columns, std::span<const Real> bias, const Matrix& y) {
  const bool bias_fits = bias.empty() || std::ssize(bias) == columns;
  if (!x.transposed && x.cols == inner && y.rows == x.rows && y.cols == columns && bias_fits) return;
  throw ShapeError(cat("product: x is ", Shape{x.m(), x.n()}, ", the weight ", Shape{inner, columns}, ", y ",
                       Shape{y.rows, y.cols}, ", the bias has ", bias.size()));
}

SettledWeight::SettledWeight(std::unique_ptr<const Int8Matrix> int8)
    : int8_(int8.get()), factor_(std::move(int8)), ready_(factor_.get()) {}

void SettledWeight::multiply(ConstMatrix x, ConstMatrix w, std::span<const Real> bias, Matrix y) const {
  constexpr Index kRowsBeforePacking = 128;
  if (const RightFactor* factor = ready_.load(std::memory_order_acquire)) return factor->multiply(x, bias, y);
  const bool few = rows_.fetch_add(x.rows, std::memory_order_relaxed) + x.rows <= kRowsBeforePacking;
  if (few && !w.transposed) return multiply_rows(x, w, bias, y);
  std::call_once(once_, [&] {
    factor_ = std::make_unique<PackedMatrix>(w);
    ready_.store(factor_.get(), std::memory_order_release);
  });
  factor_->multiply(x, bias, y);
}

}  // namespace dhyan::kernels
