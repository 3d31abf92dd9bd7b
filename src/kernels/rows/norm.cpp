#include "kernels/rows/norm.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/norm.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// The mean of (x - mean)^2, in two passes over a row in the L1 cache: mean(x^2) - mean^2 would cancel if the mean is
// large.
Real variance_of(Index n, const Real* x, Real mean) {
  V sums = hn::Zero(D());
  each_vector(n, [&](Index j, auto part) {
    const V centred = hn::Sub(part.load(x + j, mean), all(mean));
    sums = hn::MulAdd(centred, centred, sums);
  });
  return sum_of_lanes(sums) / static_cast<Real>(n);
}

Real inverse_root(Real x) { return 1 / std::sqrt(x); }

constexpr Index kRowsAtOnce = 8;

struct Moments {
  Real mean[kRowsAtOnce], inverse[kRowsAtOnce];
};

// Layer norm of at most kRowsAtOnce rows, step by step for all of them: the latencies of sums, roots and divisions
// overlap.
Moments layer_norm_block(ConstMatrix x, const NormWeights& weights, Matrix y) {
  const Index H = x.cols;
  Moments of;
  for (Index r = 0; r < x.rows; ++r) {
    const Real total = sum_of(
        H, [](V v) { return v; }, x.row(r));
    of.mean[r] = total / static_cast<Real>(H);
  }
  for (Index r = 0; r < x.rows; ++r) of.inverse[r] = variance_of(H, x.row(r), of.mean[r]) + weights.epsilon;
  for (Index r = 0; r < x.rows; ++r) of.inverse[r] = inverse_root(of.inverse[r]);
  for (Index r = 0; r < x.rows; ++r) {
    const V m = all(of.mean[r]), s = all(of.inverse[r]);
    transform(
        H, y.row(r), [&](V v, V gain, V bias) { return hn::MulAdd(hn::Mul(hn::Sub(v, m), s), gain, bias); }, x.row(r),
        weights.gain.data(), weights.bias.data());
  }
  return of;
}

// Calls f(begin, count) for blocks of at most kRowsAtOnce rows.
template <class F>
void for_row_blocks(Index rows, const F& f) {
  for (Index begin = 0; begin < rows; begin += kRowsAtOnce) f(begin, std::min(kRowsAtOnce, rows - begin));
}

ConstMatrix row_block(ConstMatrix x, Index begin, Index count) { return {x.row(begin), count, x.cols, x.stride}; }
Matrix row_block(Matrix x, Index begin, Index count) { return {x.row(begin), count, x.cols, x.stride}; }

void layer_norm_rows(ConstMatrix x, const NormWeights& weights, Matrix y, NormRows rows) {
  for_row_blocks(x.rows, [&](Index begin, Index count) {
    const Moments of = layer_norm_block(row_block(x, begin, count), weights, row_block(y, begin, count));
    if (rows.mean.empty()) return;
    std::copy_n(of.mean, count, rows.mean.begin() + begin);
    std::copy_n(of.inverse, count, rows.inverse.begin() + begin);
  });
}

void add_layer_norm_rows(ConstMatrix a, ConstMatrix b, const NormWeights& weights, Matrix sum, Matrix y) {
  for_row_blocks(sum.rows, [&](Index begin, Index count) {
    for (Index r = begin; r < begin + count; ++r) {
      transform(
          sum.cols, sum.row(r), [](V va, V vb) { return hn::Add(va, vb); }, a.row(r), b.row(r));
    }
    layer_norm_block(row_block(sum, begin, count), weights, row_block(y, begin, count));
  });
}

void rms_norm_rows(ConstMatrix x, const NormWeights& weights, Matrix y, NormRows rows) {
  for (Index r = 0; r < x.rows; ++r) {
    const Real inverse = inverse_root(variance_of(x.cols, x.row(r), 0) + weights.epsilon);
    rows.inverse[static_cast<std::size_t>(r)] = inverse;
    const V s = all(inverse);
    transform(
        x.cols, y.row(r), [&](V v, V gain) { return hn::Mul(hn::Mul(v, s), gain); }, x.row(r), weights.gain.data());
  }
}

// One row of the backward pass.
struct NormRow {
  Index n;
  const Real* x;
  const Real* dy;
  const Real* gain;
  Real mean, inverse;

  template <class Part>
  HWY_INLINE V normalised(Part part, Index j) const {
    return hn::Mul(hn::Sub(part.load(x + j), all(mean)), all(inverse));
  }

  void add_to_weights(Real* dgain, Real* dbias) const {
    each_vector(n, [&](Index j, auto part) {
      const V d = part.load(dy + j);
      if (dgain != nullptr) part.add(hn::Mul(d, normalised(part, j)), dgain + j);
      if (dbias != nullptr) part.add(d, dbias + j);
    });
  }

  void add_to_input(Real* dx, bool centred) const {
    V g_sums = hn::Zero(D()), gn_sums = hn::Zero(D());
    each_vector(n, [&](Index j, auto part) {
      const V g = hn::Mul(part.load(dy + j), part.load(gain + j));
      g_sums = hn::Add(g_sums, g);
      gn_sums = hn::MulAdd(g, normalised(part, j), gn_sums);
    });
    const V g_mean = all(centred ? sum_of_lanes(g_sums) / static_cast<Real>(n) : 0);
    const V gn_mean = all(sum_of_lanes(gn_sums) / static_cast<Real>(n));
    each_vector(n, [&](Index j, auto part) {
      const V g = hn::Mul(part.load(dy + j), part.load(gain + j));
      part.add(hn::Mul(all(inverse), hn::NegMulAdd(normalised(part, j), gn_mean, hn::Sub(g, g_mean))), dx + j);
    });
  }
};

void norm_rows_backward(ConstMatrix x, NormRows rows, std::span<const Real> gain, ConstMatrix dy,
                        const NormGradients& into) {
  const bool centred = !rows.mean.empty();
  for (Index r = 0; r < x.rows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const NormRow row{x.cols, x.row(r), dy.row(r), gain.data(), centred ? rows.mean[at] : 0, rows.inverse[at]};
    if (into.gain.data != nullptr || into.bias.data != nullptr) row.add_to_weights(into.gain.data, into.bias.data);
    if (into.x.data != nullptr) row.add_to_input(into.x.row(r), centred);
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(layer_norm_rows);
HWY_EXPORT(add_layer_norm_rows);
HWY_EXPORT(rms_norm_rows);
HWY_EXPORT(norm_rows_backward);

void layer_norm_rows(ConstMatrix x, const NormWeights& weights, Matrix y, NormRows rows) {
  HWY_DYNAMIC_DISPATCH(layer_norm_rows)(x, weights, y, rows);
}

void add_layer_norm_rows(ConstMatrix a, ConstMatrix b, const NormWeights& weights, Matrix sum, Matrix y) {
  HWY_DYNAMIC_DISPATCH(add_layer_norm_rows)(a, b, weights, sum, y);
}

void rms_norm_rows(ConstMatrix x, const NormWeights& weights, Matrix y, NormRows rows) {
  HWY_DYNAMIC_DISPATCH(rms_norm_rows)(x, weights, y, rows);
}

void norm_rows_backward(ConstMatrix x, NormRows rows, std::span<const Real> gain, ConstMatrix dy,
                        const NormGradients& into) {
  HWY_DYNAMIC_DISPATCH(norm_rows_backward)(x, rows, gain, dy, into);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
