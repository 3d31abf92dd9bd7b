#include "kernels/loss/cross_entropy.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/loss/cross_entropy.cpp"
#include <hwy/foreach_target.h>

#include "kernels/rows/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// The losses of one row of V logits. With L = log Σ_v exp z_v: -log p_v = L - z_v, and the mean of that over v is
// L - mean(z).
HWY_INLINE void add_losses(double log_sum, double target_logit, double mean_logit, double smoothing,
                           CrossEntropy& total) {
  total.nll += log_sum - target_logit;
  total.loss += (1 - smoothing) * (log_sum - target_logit) + smoothing * (log_sum - mean_logit);
}

HWY_INLINE double mean_of(Index n, const Real* z) {
  return sum_of(
             n, [](V v) { return v; }, z) /
         static_cast<double>(n);
}

void with_gradient(Matrix logits, const RowId* targets, double smoothing, CrossEntropy& total) {
  const Index n = logits.cols;
  const V spread = all(smoothing / static_cast<double>(n));
  for (Index r = 0; r < logits.rows; ++r) {
    Real* z = logits.row(r);
    const Real target_logit = z[targets[r]], shift = softmax_shift(n, z);
    const double mean_logit = smoothing > 0 ? mean_of(n, z) : 0;
    const double normaliser = exponentials(n, z, shift, z);
    add_losses(shift + std::log(normaliser), target_logit, mean_logit, smoothing, total);

    const V inverse = all(1 / normaliser);
    transform(
        n, z, [inverse, spread](V v) { return hn::MulSub(v, inverse, spread); }, z);
    z[targets[r]] -= static_cast<Real>(1 - smoothing);
  }
}

void loss_only(ConstMatrix logits, const RowId* targets, double smoothing, CrossEntropy& total) {
  const Index n = logits.cols;
  for (Index r = 0; r < logits.rows; ++r) {
    const Real* z = logits.row(r);
    const double log_sum = log_sum_of_exponentials(n, z);
    add_losses(log_sum, z[targets[r]], smoothing > 0 ? mean_of(n, z) : 0, smoothing, total);
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(with_gradient);
HWY_EXPORT(loss_only);

CrossEntropy cross_entropy_with_gradient(Matrix logits, std::span<const RowId> targets, double smoothing) {
  CrossEntropy total;
  HWY_DYNAMIC_DISPATCH(with_gradient)(logits, targets.data(), smoothing, total);
  return total;
}

CrossEntropy cross_entropy(ConstMatrix logits, std::span<const RowId> targets, double smoothing) {
  CrossEntropy total;
  HWY_DYNAMIC_DISPATCH(loss_only)(logits, targets.data(), smoothing, total);
  return total;
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
