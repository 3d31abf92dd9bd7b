#include "ops/bfloat16_rows.h"

#include "core/error.h"
#include "ops/arena_copy.h"
#include "ops/op_cache.h"

namespace dhyan {

Var to_bfloat16(const Var& x) {
  expect_rank("to_bfloat16", "x", x.shape(), 2);
  Scope& scope = x.scope();
  if (scope.recording()) throw UsageError("to_bfloat16: rows of 16 bits have no gradient, and the scope has a tape");
  const std::span<kernels::Bfloat16> rounded =
      arena_span<kernels::Bfloat16>(scope.arena(), static_cast<std::size_t>(x.value().size()));
  kernels::round_to_bfloat16(x.value().matrix(), rounded.data());
  return bfloat16_constant(scope, {rounded.data(), x.rows(), x.cols(), x.cols()});  // [M,N]
}

Var bfloat16_constant(Scope& scope, const kernels::Bfloat16Matrix& rows) {
  const Var x = scope.constant(Tensor::without_numbers({rows.rows, rows.cols}));
  op_cache(x).bfloat16 = &scope.arena().make<kernels::Bfloat16Matrix>(rows);
  return x;
}

const kernels::Bfloat16Matrix* bfloat16_rows(const Var& x) {
  return x.node().cache == nullptr ? nullptr : x.node().cache->bfloat16;
}

}  // namespace dhyan
