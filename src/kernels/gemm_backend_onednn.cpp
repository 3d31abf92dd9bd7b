#include <dnnl.h>

#include "core/error.h"
#include "kernels/gemm_check.h"

namespace dhyan::kernels {

void gemm(ConstMatrix a, ConstMatrix b, Matrix c, GemmScale scale) {
  check_gemm(a, b, c);
  if (c.rows == 0 || c.cols == 0) return;
  if (a.n() == 0) return gemm_simple(a, b, c, scale);  // oneDNN leaves c as it was, whatever the scale
  const dnnl_status_t status =
      dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', c.rows, c.cols, a.n(), scale.product, a.data,
                 a.stride, b.data, b.stride, scale.before, c.data, c.stride);
  if (status != dnnl_success) {
    throw ShapeError(cat("gemm: oneDNN refuses ", c.rows, "x", c.cols, "x", a.n(), " with status ", status));
  }
}

const char* gemm_backend() {
  static_assert(DNNL_VERSION_MAJOR >= 2);
#define DHYAN_TEXT_OF(x) #x
#define DHYAN_TEXT(x) DHYAN_TEXT_OF(x)
  return "oneDNN " DHYAN_TEXT(DNNL_VERSION_MAJOR) "." DHYAN_TEXT(DNNL_VERSION_MINOR) "." DHYAN_TEXT(DNNL_VERSION_PATCH);
#undef DHYAN_TEXT
#undef DHYAN_TEXT_OF
}

}  // namespace dhyan::kernels
