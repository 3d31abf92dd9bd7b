#include "ops/row_product.h"

#include <algorithm>

#include "kernels/gemm.h"

namespace dhyan {

namespace {

// oneDNN has other kernels for few rows and, if they are long, for many: sums are taken in another order there. Within
// these bounds it has one.
constexpr Index kFewest = 16, kMost = 512;

// The first rows of a product that is large enough.
void padded_product(const Scope& scope, const Tensor& x, ConstMatrix w, const Tensor& y) {
  const Tensor more_x = Tensor::zeros_in(scope.arena(), {kFewest, x.cols()});  // [16,I]
  const Tensor more_y = scope.tensor({kFewest, y.cols()});                     // [16,O]
  std::ranges::copy(x.span(), more_x.data());
  kernels::gemm(more_x.matrix(), w, more_y.matrix());
  std::ranges::copy(more_y.row_range(0, y.rows()).span(), y.data());
}

}  // namespace

void row_product(const Scope& scope, const Tensor& x, ConstMatrix w, const Tensor& y) {
  if (scope.recording()) return kernels::gemm(x.matrix(), w, y.matrix());
  for (Index begin = 0; begin < x.rows(); begin += kMost) {
    const Index end = std::min(begin + kMost, x.rows());
    const Tensor some_x = x.row_range(begin, end), some_y = y.row_range(begin, end);  // [C,I], [C,O]
    if (end - begin < kFewest) {
      padded_product(scope, some_x, w, some_y);
    } else {
      kernels::gemm(some_x.matrix(), w, some_y.matrix());
    }
  }
}

}  // namespace dhyan
