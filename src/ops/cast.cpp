#include "ops/cast.h"

#include "core/error.h"
#include "kernels/bfloat16/bfloat16_rows.h"

namespace dhyan {

Var cast(const Var& x, Dtype dtype) {
  if (x.value().dtype() == dtype) return x;
  expect_rank("cast", "x", x.shape(), 2);
  expect_dtype("cast", x.value().dtype(), Dtype::kReal);
  if (dtype != Dtype::kBfloat16) throw DtypeError(cat("cast: cannot write ", name_of(dtype), " values"));
  Scope& scope = x.scope();
  if (scope.recording()) throw UsageError("cast: bfloat16 values have no gradient, and the scope has a tape");
  const Tensor y = Tensor::in(scope.arena(), x.shape(), dtype);  // [M,N]
  kernels::round_to_bfloat16(x.value().matrix(), static_cast<Bfloat16*>(y.storage()));
  return scope.constant(y);
}

}  // namespace dhyan
