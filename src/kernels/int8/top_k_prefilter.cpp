#include "kernels/int8/top_k_prefilter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/error.h"
#include "kernels/gemm/column_partition.h"
#include "kernels/gemm/unpacked_gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8/top_k_prefilter.cpp"
#include <hwy/foreach_target.h>

#include "kernels/rows/top_k-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// |x|, and |d| of what is lost when x is taken in steps of its largest number / 127.
QuantizationError rounding_loss(const Real* x, Index n) {
  const Real largest = max_abs_of(n, x);
  const V step = all(largest / 127), inverse = all(largest > 0 ? 127 / largest : 0);
  const auto square = [](V v) HWY_ATTR { return hn::Mul(v, v); };
  const auto lost = [&](V v) HWY_ATTR { return square(hn::NegMulAdd(hn::Round(hn::Mul(v, inverse)), step, v)); };
  return {std::sqrt(sum_of(n, square, x)), std::sqrt(sum_of(n, lost, x))};
}

// The k-th largest of the lanes, or less where some are equal.
HWY_INLINE Real kth_of_lanes(V left, Index k) {
  const V gone = all(-std::numeric_limits<Real>::infinity());
  V largest = hn::MaxOfLanes(D(), left);
  for (Index i = 1; i < k; ++i) {
    left = hn::IfThenElse(hn::Eq(left, largest), gone, left);
    largest = hn::MaxOfLanes(D(), left);
  }
  return hn::GetLane(largest);
}

// A number that at least k of the z_j - margin n_j reach: the k-th of the largest in each lane, which begin as -inf and
// are raised.
Real reached_by(const PrefilterRow& of, Index k, Real* by_lane) {
  const V factor = all(of.margin);
  V best = load(by_lane);
  for (Index j = 0; j + lanes() <= of.n; j += lanes()) {
    best = hn::Max(best, hn::NegMulAdd(factor, load(of.norms + j), load(of.z + j)));
  }
  store(best, by_lane);
  return kth_of_lanes(best, k);
}

// Where z_j + margin n_j reaches `least`; how many there are.
Index reaching(const PrefilterRow& of, Real least, Ranked* to) {
  const V factor = all(of.margin), bound = all(least);
  Index count = 0, j = 0;
  for (; j + lanes() <= of.n; j += lanes()) {
    const V most = hn::MulAdd(factor, load(of.norms + j), load(of.z + j));
    const auto reaches = hn::Ge(most, bound);
    if (hn::AllFalse(D(), reaches)) continue;
    HWY_ALIGN Real values[HWY_MAX_BYTES / sizeof(Real)];
    hn::Store(most, D(), values);
    for (Lanes left = lanes_of(reaches); left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      to[count++] = {static_cast<RowId>(j + lane), values[lane]};
    }
  }
  for (; j < of.n; ++j) {
    const Real most = of.z[j] + of.margin * of.norms[j];
    if (most >= least) to[count++] = {static_cast<RowId>(j), most};
  }
  return count;
}

// NaN if one of them is not finite.
Real largest_size(Index n, const Real* x) {
  return max_abs_of(n, x) + sum_of(
                                n, [](V v) HWY_ATTR { return hn::Sub(v, v); }, x);
}

Index lanes_of_bounds() { return lanes(); }

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(rounding_loss);
HWY_EXPORT(reached_by);
HWY_EXPORT(reaching);
HWY_EXPORT(largest_size);
HWY_EXPORT(lanes_of_bounds);

namespace {

constexpr Real kNoNumber = std::numeric_limits<Real>::quiet_NaN();

// Relative errors of a sum of n products and what is added to it, in Real and in the float of 8-bit products.
Real rounding_of(Index n) {
  return static_cast<Real>(n + 4) * std::numeric_limits<Real>::epsilon() + 4 * std::numeric_limits<float>::epsilon();
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
  multiply_unpacked(x, ConstMatrix{rows.data(), std::ssize(outputs), w.cols, w.cols}.t(), biases, z, precision);
}

// The largest of the candidates in order; z are those of `computed`, which is sorted.
void rank(const Real* z, std::span<const RowId> computed, std::span<const Ranked> candidates, std::span<Ranked> best) {
  thread_local std::vector<Ranked> exact;
  exact.clear();
  for (const auto& [j, most] : candidates) {
    exact.push_back({j, z[std::ranges::lower_bound(computed, j) - computed.begin()]});
  }
  const auto order = [](const Ranked& one) {  // what is no number comes first, where it will be noticed
    return std::pair(std::isnan(one.value) ? -std::numeric_limits<Real>::infinity() : -one.value, one.column);
  };
  std::ranges::partial_sort_copy(exact, best, {}, order, order);
}

}  // namespace

TopKPrefilter::TopKPrefilter(ConstMatrix w) : w_(w), norms_(static_cast<std::size_t>(w.n())) {
  if (!w.transposed) throw UsageError("TopKPrefilter: expected a weight with an output's values side by side");
  std::vector<std::int8_t> values(static_cast<std::size_t>(w.rows * w.cols));
  std::vector<float> scales(norms_.size());
  quantize(w, values, scales);
  for (std::size_t j = 0; j < norms_.size(); ++j) {
    const QuantizationError of = HWY_DYNAMIC_DISPATCH(rounding_loss)(w.row(static_cast<Index>(j)), w.cols);
    norms_[j] = of.norm;
    if (of.norm > 0) error_ = std::max(error_, of.lost / of.norm);  // what is NaN stays so
    if (!std::isfinite(of.norm)) error_ = kNoNumber;
  }
  rounded_ = std::make_unique<Int8Matrix>(Int8Weight{values.data(), w.rows, w.cols, true, scales});
}

TopKPrefilter::Bounds TopKPrefilter::bounds_of(const ConstMatrix& x, std::span<const Real> bias, Index k) const {
  Bounds bounds{
      k,
      4 * std::numeric_limits<float>::epsilon() * HWY_DYNAMIC_DISPATCH(largest_size)(std::ssize(bias), bias.data()),
      {}};
  for (Index r = 0; r < x.rows; ++r) {
    const auto [norm, lost] = HWY_DYNAMIC_DISPATCH(rounding_loss)(x.row(r), w_.cols);
    bounds.margins.push_back(Real{1.001} * (lost + (norm + lost) * error_) + rounding_of(w_.cols) * norm);
  }
  return bounds;
}

// By stretches of columns, of which the values of all rows stay in the second-level cache until they were read.
void TopKPrefilter::prefilter_partition(const QuantizedRows& x, std::span<const Real> bias, const Bounds& bounds,
                                        const ColumnPartition& partition, std::span<PrefilteredRow> rows) const {
  constexpr Index kStretch = 32768;
  thread_local std::vector<Real> room;
  thread_local std::vector<Ranked> found;
  const Index lanes = HWY_DYNAMIC_DISPATCH(lanes_of_bounds)();
  const Index stretches = std::max<Index>(1, x.rows * w_.n() / (partition.count * kStretch));
  std::vector<Real> by_lane(static_cast<std::size_t>(x.rows * lanes), -std::numeric_limits<Real>::infinity());
  for (Index i = 0; i < stretches; ++i) {
    const ColumnRange some =
        rounded_->columns_of_partition({partition.index * stretches + i, partition.count * stretches});
    room.resize(static_cast<std::size_t>(x.rows * some.size));
    found.resize(static_cast<std::size_t>(some.size));
    const Matrix z{room.data(), x.rows, some.size, some.size};
    rounded_->multiply_columns(x, bias, some, z);
    for (Index r = 0; r < x.rows; ++r) {
      const PrefilterRow of{some.size, z.row(r), norms_.data() + some.begin,
                            bounds.margins[static_cast<std::size_t>(r)]};
      PrefilteredRow& row = rows[static_cast<std::size_t>(r)];
      row.least = HWY_DYNAMIC_DISPATCH(reached_by)(of, bounds.k, by_lane.data() + r * lanes) - bounds.slack;
      const Index count = HWY_DYNAMIC_DISPATCH(reaching)(of, row.least, found.data());
      for (Index j = 0; j < count; ++j) {
        const auto& [column, most] = found[static_cast<std::size_t>(j)];
        row.found.push_back({static_cast<RowId>(some.begin + column), most});
      }
    }
  }
}

void TopKPrefilter::prefilter(const ConstMatrix& x, std::span<const Real> bias, const Bounds& bounds,
                              IntraOpThreads* intra_op, std::span<PrefilteredRow> rows) const {
  thread_local std::vector<std::uint8_t> memory;
  memory.resize(static_cast<std::size_t>(quantized_bytes(x)));
  const QuantizedRows rounded = quantize_rows(x, memory.data());
  std::mutex mutex;
  partition_columns({.weights = w_.m() * w_.n(), .rows = x.rows}, intra_op, [&](const ColumnPartition& partition) {
    if (partition.count == 1) return prefilter_partition(rounded, bias, bounds, partition, rows);
    std::vector<PrefilteredRow> mine(rows.size());
    prefilter_partition(rounded, bias, bounds, partition, mine);
    const std::lock_guard lock(mutex);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      rows[r].least = std::max(rows[r].least, mine[r].least);
      rows[r].found.insert(rows[r].found.end(), mine[r].found.begin(), mine[r].found.end());
    }
  });
}

// Of what was found while less was known, what still may be; or all, where that is too little: not values.
void TopKPrefilter::keep_candidates(const Bounds& bounds, std::size_t row, PrefilteredRow& screened) const {
  std::erase_if(screened.found, [&](const Ranked& one) { return !(one.value >= screened.least); });
  if (std::isfinite(bounds.margins[row] + bounds.slack) && std::ssize(screened.found) >= bounds.k) return;
  screened.found.clear();
  for (RowId j = 0; j < w_.n(); ++j) screened.found.push_back({j, 0});
}

void TopKPrefilter::best(ConstMatrix x, std::span<const Real> bias, std::span<Ranked> best,
                         const PackedGemmOptions& way) const {
  if (x.rows == 0) return;
  thread_local std::vector<PrefilteredRow> rows;
  thread_local std::vector<Real> room;
  const Bounds bounds = bounds_of(x, bias, std::ssize(best) / x.rows);
  rows.resize(static_cast<std::size_t>(x.rows));
  for (PrefilteredRow& row : rows) row.begin_anew();
  prefilter(x, bias, bounds, way.intra_op, rows);
  std::vector<RowId> wanted;  // by any row
  for (std::size_t r = 0; r < rows.size(); ++r) {
    keep_candidates(bounds, r, rows[r]);
    for (const Ranked& one : rows[r].found) wanted.push_back(one.column);
  }
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  room.resize(rows.size() * wanted.size());
  const Matrix z{room.data(), x.rows, std::ssize(wanted), std::ssize(wanted)};
  multiply_some(x, w_, bias, wanted, z, way.precision);
  const auto k = static_cast<std::size_t>(bounds.k);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rank(z.row(static_cast<Index>(r)), wanted, rows[r].found, best.subspan(r * k, k));
  }
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
