#include "ops/position_energies.h"

#include "core/error.h"
#include "kernels/attention/position_energies.h"
#include "ops/expect_real.h"

namespace dhyan {

// e_tj = u_tj;   du_tj += de_tj
Var position_energies(const Var& by_position, const AttentionLayout& layout) {
  expect_real("position_energies", by_position);
  expect_layout_rows("position_energies", "by_position", by_position, layout.queries, layout.heads);
  const Tensor e = by_position.scope().tensor({layout.count()});  // [Σ N T_b S_b]
  kernels::position_energies(layout, by_position.value().matrix(), e.span());
  return record(e, {by_position}, [by_position, layout](const Var& result) {
    kernels::position_energies_backward(layout, result.grad().span(), by_position.grad().matrix());
  });
}

// e_tj = -(j - S c_t)² / 2σ²;   dc_t += Σ_j de_tj (j - S c_t) S / σ²
Var log_gaussians(const Var& centres, Real sigma, const AttentionLayout& layout) {
  expect_real("log_gaussians", centres);
  expect_shape("log_gaussians", "centres", centres.shape(), {layout.queries.rows(), 1});
  if (!(sigma > 0)) throw ConfigError(cat("log_gaussians: sigma is ", sigma, ", expected more than 0"));
  const Tensor e = centres.scope().tensor({layout.count()});  // [Σ N T_b S_b]
  kernels::log_gaussians(layout, centres.value().span(), sigma, e.span());
  return record(e, {centres}, [centres, sigma, layout](const Var& result) {
    kernels::log_gaussians_backward(layout, centres.value().span(), sigma, result.grad().span(), centres.grad().span());
  });
}

}  // namespace dhyan
