#include "ops/additive_energies.h"

#include "kernels/attention/additive_energies.h"
#include "ops/expect_real.h"
#include "ops/wanted_grad.h"

namespace dhyan {

// With y = tanh(q + k):   e = Σ_a v_a y_a;   dq, dk += de v (1 - y^2),   dv += de y
Var additive_energies(const Var& queries, const Var& keys, const Var& v, const AttentionLayout& layout) {
  expect_real("additive_energies", queries, keys, v);
  expect_layout_rows("additive_energies", "queries", queries, layout.queries, layout.heads);
  expect_layout_rows("additive_energies", "keys", keys, layout.keys, layout.heads);
  expect_shape("additive_energies", "keys", keys.shape(), {keys.rows(), queries.cols()});
  expect_shape("additive_energies", "v", v.shape(), {queries.cols()});
  const Tensor e = queries.scope().tensor({layout.count()});  // [Σ N T_b S_b]
  kernels::additive_energies(layout, {queries.value().matrix(), keys.value().matrix(), v.value().span()}, e.span());
  return record(e, {queries, keys, v}, [queries, keys, v, layout](const Var& result) {
    kernels::additive_energies_backward(layout, {queries.value().matrix(), keys.value().matrix(), v.value().span()},
                                        result.grad().span(),
                                        {wanted_grad(queries), wanted_grad(keys), wanted_grad(v)});
  });
}

}  // namespace dhyan
