#include "kernels/output_screen.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/output_screen.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// |x|, and |d| of what is lost when x is taken in steps of its largest number / 127.
RoundingLoss rounding_loss(const Real* x, Index n) {
  const Real largest = max_abs_of(n, x);
  const V step = all(largest / 127), inverse = all(largest > 0 ? 127 / largest : 0);
  const auto square = [](V v) HWY_ATTR { return hn::Mul(v, v); };
  const auto lost = [&](V v) HWY_ATTR { return square(hn::NegMulAdd(hn::Round(hn::Mul(v, inverse)), step, v)); };
  return {std::sqrt(sum_of(n, square, x)), std::sqrt(sum_of(n, lost, x))};
}

// A number that at least k of the z_j - margin n_j reach: the k-th of the largest in each lane. k <= lanes()
Real reached_by(Index n, const Real* z, const Real* norms, Real margin, Index k) {
  HWY_ALIGN Real largest[HWY_MAX_BYTES / sizeof(Real)];
  const V factor = all(margin);
  V best = all(-std::numeric_limits<Real>::infinity());
  for (Index j = 0; j + lanes() <= n; j += lanes()) {
    best = hn::Max(best, hn::NegMulAdd(factor, load(norms + j), load(z + j)));
  }
  hn::Store(best, D(), largest);
  std::nth_element(largest, largest + k - 1, largest + lanes(), std::greater<Real>());
  return largest[k - 1];
}

// Where z_j + margin n_j reaches `least`; how many there are.
Index reaching(Index n, const Real* z, const Real* norms, Real margin, Real least, RowId* to) {
  const V factor = all(margin), bound = all(least);
  Index count = 0, j = 0;
  for (; j + lanes() <= n; j += lanes()) {
    const auto reaches = hn::Ge(hn::MulAdd(factor, load(norms + j), load(z + j)), bound);
    if (hn::AllFalse(D(), reaches)) continue;
    HWY_ALIGN Real lane[HWY_MAX_BYTES / sizeof(Real)];
    hn::Store(hn::IfThenElseZero(reaches, all(1)), D(), lane);
    for (Index i = 0; i < lanes(); ++i) {
      if (lane[i] != 0) to[count++] = static_cast<RowId>(j + i);
    }
  }
  for (; j < n; ++j) {
    if (z[j] + margin * norms[j] >= least) to[count++] = static_cast<RowId>(j);
  }
  return count;
}

// x w of four outputs, each summed as a tile sums it (tile-inl.h): in the order of k, by multiply-adds where there are.
void four_outputs(const Real* x, const Real* const (&w)[4], Index n, Real (&sums)[4]) {
  const hn::CappedTag<Real, 1> d;
  auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  for (Index k = 0; k < n; ++k) {
    const auto factor = hn::Set(d, x[k]);
    sum0 = hn::MulAdd(factor, hn::Set(d, w[0][k]), sum0);
    sum1 = hn::MulAdd(factor, hn::Set(d, w[1][k]), sum1);
    sum2 = hn::MulAdd(factor, hn::Set(d, w[2][k]), sum2);
    sum3 = hn::MulAdd(factor, hn::Set(d, w[3][k]), sum3);
  }
  sums[0] = hn::GetLane(sum0), sums[1] = hn::GetLane(sum1), sums[2] = hn::GetLane(sum2), sums[3] = hn::GetLane(sum3);
}

Index most_by_lanes() { return lanes(); }

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(rounding_loss);
HWY_EXPORT(reached_by);
HWY_EXPORT(reaching);
HWY_EXPORT(four_outputs);
HWY_EXPORT(most_by_lanes);

namespace {

constexpr Real kNoNumber = std::numeric_limits<Real>::quiet_NaN();

// Relative errors of a sum of n products and what is added to it, in Real and in the float of 8-bit products.
Real rounding_of(Index n) {
  return static_cast<Real>(n + 4) * std::numeric_limits<Real>::epsilon() + 4 * std::numeric_limits<float>::epsilon();
}

// NaN if one of them is not finite.
Real largest_size(std::span<const Real> numbers) {
  Real largest = 0;
  for (const Real x : numbers) {
    if (!std::isfinite(x)) return kNoNumber;
    largest = std::max(largest, std::abs(x));
  }
  return largest;
}

// z of the candidates, the k largest in order.
void rank_exactly(const Real* x, const ConstMatrix& w, std::span<const Real> bias, std::span<const RowId> candidates,
                  std::span<Ranked> best) {
  thread_local std::vector<Ranked> exact;
  exact.clear();
  for (std::size_t i = 0; i < candidates.size(); i += 4) {
    const auto output = [&](std::size_t at) { return candidates[std::min(i + at, candidates.size() - 1)]; };
    const Real* const rows[4] = {w.row(output(0)), w.row(output(1)), w.row(output(2)), w.row(output(3))};
    Real sums[4];
    HWY_DYNAMIC_DISPATCH(four_outputs)(x, rows, w.cols, sums);
    for (std::size_t at = 0; at < 4 && i + at < candidates.size(); ++at) {
      const RowId j = output(at);
      exact.push_back({j, bias.empty() ? sums[at] : sums[at] + bias[static_cast<std::size_t>(j)]});
    }
  }
  const auto order = [](const Ranked& one) {  // what is no number comes first, where it will be noticed
    return std::pair(std::isnan(one.value) ? -std::numeric_limits<Real>::infinity() : -one.value, one.column);
  };
  std::ranges::partial_sort_copy(exact, best, {}, order, order);
}

}  // namespace

OutputScreen::OutputScreen(ConstMatrix w) : w_(w), norms_(static_cast<std::size_t>(w.n())) {
  if (!w.transposed) throw UsageError("OutputScreen: expected a weight with an output's numbers side by side");
  std::vector<std::int8_t> numbers(static_cast<std::size_t>(w.rows * w.cols));
  std::vector<float> scales(norms_.size());
  quantize(w, numbers, scales);
  for (std::size_t j = 0; j < norms_.size(); ++j) {
    const RoundingLoss of = HWY_DYNAMIC_DISPATCH(rounding_loss)(w.row(static_cast<Index>(j)), w.cols);
    norms_[j] = of.norm;
    if (of.norm > 0) error_ = std::max(error_, of.lost / of.norm);  // what is NaN stays so
    if (!std::isfinite(of.norm)) error_ = kNoNumber;
  }
  rounded_ = std::make_unique<Int8Matrix>(Int8Weight{numbers.data(), w.rows, w.cols, true, scales});
}

void OutputScreen::best(ConstMatrix x, std::span<const Real> bias, Matrix room, std::span<Ranked> best,
                        Helpers* helpers) const {
  if (x.rows == 0) return;
  const Index O = w_.n(), k = std::ssize(best) / x.rows;
  multiply_shared(*rounded_, x, bias, room, helpers);
  const Real rounding = rounding_of(w_.cols), other = 2 * std::numeric_limits<float>::epsilon() * largest_size(bias);
  thread_local std::vector<RowId> candidates;
  candidates.resize(static_cast<std::size_t>(O));
  for (Index r = 0; r < x.rows; ++r) {
    const Real* z = room.row(r);
    const auto [norm, lost] = HWY_DYNAMIC_DISPATCH(rounding_loss)(x.row(r), x.cols);
    const Real margin = Real{1.001} * (lost + (norm + lost) * error_) + rounding * norm;
    Index count = 0;
    if (k <= HWY_DYNAMIC_DISPATCH(most_by_lanes)() && std::isfinite(margin + other)) {
      const Real reached = HWY_DYNAMIC_DISPATCH(reached_by)(O, z, norms_.data(), margin, k);
      count = HWY_DYNAMIC_DISPATCH(reaching)(O, z, norms_.data(), margin, reached - 2 * other, candidates.data());
    }
    if (count < k) {  // more asked for than there are lanes, or not numbers: all of them
      for (Index j = 0; j < O; ++j) candidates[static_cast<std::size_t>(j)] = static_cast<RowId>(j);
      count = O;
    }
    rank_exactly(x.row(r), w_, bias, std::span(candidates).first(static_cast<std::size_t>(count)),
                 best.subspan(static_cast<std::size_t>(r * k), static_cast<std::size_t>(k)));
  }
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
