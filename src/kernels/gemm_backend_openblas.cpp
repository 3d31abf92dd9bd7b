#include <algorithm>
#include <cblas.h>
#include <type_traits>

#include "kernels/gemm_check.h"

namespace dhyan::kernels {

namespace {

CBLAS_TRANSPOSE order_of(const ConstMatrix& x) { return x.transposed ? CblasTrans : CblasNoTrans; }
blasint to_blas(Index x) { return static_cast<blasint>(x); }

}  // namespace

void gemm(ConstMatrix a, ConstMatrix b, Matrix c, GemmScale scale) {
  check_gemm(a, b, c);
  if (c.rows == 0 || c.cols == 0) return;
  const auto multiply = [&] {
    if constexpr (std::is_same_v<Real, double>) {
      return cblas_dgemm;
    } else {
      return cblas_sgemm;
    }
  }();
  multiply(CblasRowMajor, order_of(a), order_of(b), to_blas(c.rows), to_blas(c.cols), to_blas(a.n()), scale.product,
           a.data, to_blas(std::max<Index>(a.stride, 1)), b.data, to_blas(std::max<Index>(b.stride, 1)), scale.before,
           c.data, to_blas(c.stride));
}

const char* gemm_backend() { return OPENBLAS_VERSION; }

}  // namespace dhyan::kernels
