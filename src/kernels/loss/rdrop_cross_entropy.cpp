#include "kernels/loss/rdrop_cross_entropy.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/loss/rdrop_cross_entropy.cpp"
#include <hwy/foreach_target.h>

#include "kernels/rows/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// z_v := log p_v; returns -Σ_v t_v log p_v for the smoothed target t, and adds to nll.
HWY_INLINE double to_log_probabilities(Index n, Real* z, RowId target, double smoothing, double& nll) {
  const V log_sum = all(log_sum_of_exponentials(n, z));
  transform(
      n, z, [log_sum](V v) { return hn::Sub(v, log_sum); }, z);
  nll -= z[target];
  if (smoothing == 0) return -double{z[target]};
  const double mean = double{sum_of(
                          n, [](V v) { return v; }, z)} /
                      static_cast<double>(n);
  return -((1 - smoothing) * z[target] + smoothing * mean);
}

// Σ_v p_v (log p_v - log q_v)
HWY_INLINE double divergence(Index n, const Real* log_p, const Real* log_q) {
  return sum_of(
      n, [](V p, V q) { return hn::Mul(exp_of(p), hn::Sub(p, q)); }, log_p, log_q);
}

struct RDropRow {
  double spread;  // of the target, halved
  double alpha;   // halved
  double kl_pq, kl_qp;
};

HWY_INLINE void to_gradients(Index n, Real* first, Real* second, const RDropRow& row) {
  const V half = all(0.5), spread = all(row.spread), alpha = all(row.alpha), pq = all(row.kl_pq), qp = all(row.kl_qp);
  each_vector(n, [&](Index j, auto part) {
    const V log_p = part.load(first + j), log_q = part.load(second + j);
    const V p = exp_of(log_p), q = exp_of(log_q), delta = hn::Sub(log_p, log_q), difference = hn::Sub(p, q);
    const V dp = hn::MulAdd(p, hn::Sub(delta, pq), difference);
    const V dq = hn::Sub(hn::Mul(q, hn::Sub(hn::Neg(delta), qp)), difference);
    part.store(hn::MulAdd(alpha, dp, hn::MulSub(half, p, spread)), first + j);
    part.store(hn::MulAdd(alpha, dq, hn::MulSub(half, q, spread)), second + j);
  });
}

void rdrop(Matrix first, Matrix second, const RowId* targets, const RDropOptions& options, CrossEntropy& total) {
  const Index n = first.cols;
  for (Index r = 0; r < first.rows; ++r) {
    Real* a = first.row(r);
    Real* b = second.row(r);
    double nll = 0;
    double loss = to_log_probabilities(n, a, targets[r], options.smoothing, nll);
    loss += to_log_probabilities(n, b, targets[r], options.smoothing, nll);
    const double kl_pq = divergence(n, a, b), kl_qp = divergence(n, b, a);
    total.loss += (loss + options.alpha * (kl_pq + kl_qp)) / 2;
    total.nll += nll / 2;

    to_gradients(n, a, b, {options.smoothing / (2 * static_cast<double>(n)), options.alpha / 2, kl_pq, kl_qp});
    const Real rest = static_cast<Real>((1 - options.smoothing) / 2);
    a[targets[r]] -= rest;
    b[targets[r]] -= rest;
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(rdrop);

CrossEntropy rdrop_cross_entropy_with_gradient(Matrix first, Matrix second, std::span<const RowId> targets,
                                               const RDropOptions& options) {
  CrossEntropy total;
  HWY_DYNAMIC_DISPATCH(rdrop)(first, second, targets.data(), options, total);
  return total;
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
