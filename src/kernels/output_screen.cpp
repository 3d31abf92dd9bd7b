#include "kernels/output_screen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "kernels/multiply_rows.h"

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

Index most_by_lanes() { return lanes(); }

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(rounding_loss);
HWY_EXPORT(reached_by);
HWY_EXPORT(reaching);
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

// z of all rows and these outputs alone.
void multiply_some(const ConstMatrix& x, const ConstMatrix& w, std::span<const Real> bias,
                   std::span<const RowId> outputs, const Matrix& z, Precision precision) {
  thread_local std::vector<Real> rows, biases;
  rows.clear(), biases.clear();
  for (const RowId j : outputs) {
    rows.insert(rows.end(), w.row(j), w.row(j) + w.cols);
    if (!bias.empty()) biases.push_back(bias[static_cast<std::size_t>(j)]);
  }
  multiply_rows(x, ConstMatrix{rows.data(), std::ssize(outputs), w.cols, w.cols}.t(), biases, z, precision);
}

// The largest of the candidates in order; z are those of `computed`, which is sorted.
void rank(const Real* z, std::span<const RowId> computed, std::span<const RowId> candidates, std::span<Ranked> best) {
  thread_local std::vector<Ranked> exact;
  exact.clear();
  for (const RowId j : candidates) exact.push_back({j, z[std::ranges::lower_bound(computed, j) - computed.begin()]});
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

void OutputScreen::add_candidates(const Real* x, const Real* z, Index k, Real largest_bias,
                                  std::vector<RowId>& to) const {
  const Index O = w_.n();
  thread_local std::vector<RowId> found;
  found.resize(static_cast<std::size_t>(O));
  const auto [norm, lost] = HWY_DYNAMIC_DISPATCH(rounding_loss)(x, w_.cols);
  const Real margin = Real{1.001} * (lost + (norm + lost) * error_) + rounding_of(w_.cols) * norm;
  const Real other = 2 * std::numeric_limits<float>::epsilon() * largest_bias;
  Index count = 0;
  if (k <= HWY_DYNAMIC_DISPATCH(most_by_lanes)() && std::isfinite(margin + other)) {
    const Real reached = HWY_DYNAMIC_DISPATCH(reached_by)(O, z, norms_.data(), margin, k);
    count = HWY_DYNAMIC_DISPATCH(reaching)(O, z, norms_.data(), margin, reached - 2 * other, found.data());
  }
  if (count < k) {  // more asked for than there are lanes, or not numbers: all of them
    count = O;
    std::iota(found.begin(), found.end(), RowId{0});
  }
  to.insert(to.end(), found.begin(), found.begin() + count);
}

void OutputScreen::best(ConstMatrix x, std::span<const Real> bias, Matrix room, std::span<Ranked> best,
                        const ProductWay& way) const {
  if (x.rows == 0) return;
  const Index k = std::ssize(best) / x.rows;
  multiply_shared(*rounded_, x, bias, room, way.helpers);
  const Real largest_bias = largest_size(bias);
  std::vector<RowId> candidates;     // of all rows
  std::vector<std::size_t> ends{0};  // of each row's
  for (Index r = 0; r < x.rows; ++r) {
    add_candidates(x.row(r), room.row(r), k, largest_bias, candidates);
    ends.push_back(candidates.size());
  }
  std::vector<RowId> wanted = candidates;
  std::ranges::sort(wanted);
  wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
  const Matrix z{room.data, x.rows, std::ssize(wanted), room.stride};  // of 8 bits no more
  multiply_some(x, w_, bias, wanted, z, way.precision);
  for (Index r = 0; r < x.rows; ++r) {
    const std::size_t begin = ends[static_cast<std::size_t>(r)], end = ends[static_cast<std::size_t>(r) + 1];
    rank(z.row(r), wanted, std::span(candidates).subspan(begin, end - begin),
         best.subspan(static_cast<std::size_t>(r * k), static_cast<std::size_t>(k)));
  }
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
